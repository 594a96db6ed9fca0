#include "runtime/heap/heap.h"

#include "base/os.h"

enum { HEADER_ALIVE = 0xa11e, HEADER_FREED = 0xf2ee, HEADER_GAP = 0x9a9, UNIT = 32 };

struct header { /* right before each block */
    uint64_t size;
    uint64_t site;
    uint32_t number;
    uint32_t state;
    uint64_t spare;
};
_Static_assert(sizeof(struct header) == UNIT, "blocks follow one another in units");

static char *setup_end = (char *)SETUP_HEAP_ADDRESS; /* constant while the program runs */
static uint32_t setup_count;

bool heap_open(void)
{
    return os_map(SETUP_HEAP_ADDRESS, SETUP_HEAP_SIZE) != NULL &&
           os_map(MAIN_HEAP_ADDRESS, MAIN_HEAP_SIZE) != NULL &&
           os_map(HEAPS_ADDRESS, (rt.threads_ready - 1ul) * HEAP_SIZE) != NULL;
}

char *heap_start(uint32_t thread)
{
    if (thread == HEAP_SETUP)
        return (char *)SETUP_HEAP_ADDRESS;
    return thread == 0 ? (char *)MAIN_HEAP_ADDRESS
                       : (char *)HEAPS_ADDRESS + (thread - 1ul) * HEAP_SIZE;
}

static size_t range_size(uint32_t thread)
{
    if (thread == HEAP_SETUP)
        return SETUP_HEAP_SIZE;
    return thread == 0 ? MAIN_HEAP_SIZE : HEAP_SIZE;
}

char *heap_end(uint32_t thread)
{
    if (thread == HEAP_SETUP)
        return setup_end;
    char *end = ex.threads[thread].heap_end;
    return end != NULL ? end : heap_start(thread);
}

bool heap_owns(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    return at >= SETUP_HEAP_ADDRESS &&
           at < HEAPS_ADDRESS + (uintptr_t)THREADS_MAX * HEAP_SIZE;
}

uint32_t heap_owner(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    if (at - MAIN_HEAP_ADDRESS < MAIN_HEAP_SIZE)
        return 0;
    if (at - HEAPS_ADDRESS < (uintptr_t)THREADS_MAX * HEAP_SIZE)
        return (uint32_t)((at - HEAPS_ADDRESS) / HEAP_SIZE) + 1;
    return at - SETUP_HEAP_ADDRESS < SETUP_HEAP_SIZE ? HEAP_SETUP : HEAP_SETUP + 1;
}

static void set_end(uint32_t thread, char *end)
{
    if (thread == HEAP_SETUP)
        setup_end = end;
    else
        ex.threads[thread].heap_end = end;
}

void *heap_take(size_t size, size_t alignment, uintptr_t site)
{
    uint32_t thread = rt.running ? ex.current : HEAP_SETUP;
    char *end = heap_end(thread);
    if (alignment < UNIT)
        alignment = UNIT;
    size_t range = range_size(thread);
    if (size > range || alignment > range)
        return NULL;
    uintptr_t start = ((uintptr_t)end + UNIT + alignment - 1) & ~(alignment - 1);
    size_t room = size == 0 ? UNIT : (size + UNIT - 1) & ~(size_t)(UNIT - 1);
    if (start + room > (uintptr_t)heap_start(thread) + range)
        return NULL;
    struct header *header = (struct header *)start - 1;
    if ((char *)header > end)
        *(struct header *)end = (struct header){
            .size = (size_t)((char *)header - end) - UNIT, .state = HEADER_GAP};
    *header = (struct header){
        .size = size, .site = site, .state = HEADER_ALIVE,
        .number = thread == HEAP_SETUP ? ++setup_count : ++ex.threads[thread].allocations};
    set_end(thread, (char *)start + room);
    return (void *)start;
}

static bool is_header(const struct header *header)
{
    return header->state == HEADER_ALIVE || header->state == HEADER_FREED;
}

enum heap_free heap_give(void *start)
{
    uint32_t thread = heap_owner(start);
    if ((uintptr_t)start % UNIT != 0 || thread > HEAP_SETUP ||
        (thread < HEAP_SETUP && thread >= ex.thread_count))
        return HEAP_NOT_A_BLOCK;
    struct header *header = (struct header *)start - 1;
    if ((char *)header < heap_start(thread) || (char *)start >= heap_end(thread) ||
        !is_header(header))
        return HEAP_NOT_A_BLOCK;
    if (header->state == HEADER_FREED)
        return HEAP_FREED_BEFORE;
    header->state = HEADER_FREED;
    return HEAP_FREED;
}

size_t heap_size(const void *start)
{
    const struct header *header = (const struct header *)start - 1;
    return is_header(header) ? header->size : 0;
}

bool heap_find(const void *address, struct heap_block *block)
{
    uint32_t thread = heap_owner(address);
    if (thread > HEAP_SETUP || (thread < HEAP_SETUP && thread >= ex.thread_count))
        return false;
    char *at = heap_start(thread), *end = heap_end(thread);
    while (at < end) {
        const struct header *header = (const struct header *)at;
        size_t size = header->size == 0 ? UNIT : (header->size + UNIT - 1) & ~(size_t)(UNIT - 1);
        if (header->state == HEADER_GAP)
            size = header->size;
        else if (!is_header(header))
            return false; /* the program wrote over it */
        char *start = at + UNIT;
        if ((const char *)address < start + size) {
            *block = (struct heap_block){.start = start, .size = header->size,
                                         .site = header->site, .thread = thread,
                                         .number = header->number,
                                         .freed = header->state == HEADER_FREED};
            return (const char *)address >= at && is_header(header);
        }
        at = start + size;
    }
    return false;
}
