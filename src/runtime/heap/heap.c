#include "runtime/heap/heap.h"

#include "base/os.h"
#include "runtime/engine/refuse.h"

enum {
    HEADER_ALIVE = 0xa11e,
    HEADER_FREED = 0xf2ee,
    UNIT = 32,
    TAIL_LEAST = 8,
    TAIL_BYTE = 0xfb, /* not zero: an end of text that is one too far shows */
    INDEX_SHARE = 16, /* four bytes for two units, the least that a block takes */
};

struct header { /* right before each block */
    uint64_t size;
    uint64_t site;
    uint32_t number;
    uint16_t state, way;
    uint64_t seal; /* of all that and the place */
};
_Static_assert(sizeof(struct header) == UNIT, "blocks follow one another in units");

static char *setup_end = (char *)SETUP_HEAP_ADDRESS; /* constant while the program runs */
static uint32_t setup_count;

bool heap_open(void)
{
    return os_map(SETUP_HEAP_ADDRESS, SETUP_HEAP_SIZE) != NULL &&
           os_map(MAIN_HEAP_ADDRESS, MAIN_HEAP_SIZE) != NULL &&
           os_map(HEAPS_ADDRESS, (rt.threads_ready - 1ul) * HEAP_SIZE) != NULL &&
           os_map(HEAP_INDEX_ADDRESS, HEAPS_SPAN / INDEX_SHARE) != NULL &&
           ((!detecting(DETECT_LEAK) && !rt.options->detail) ||
            os_map(HEAP_MARKS_ADDRESS, HEAPS_SPAN / HEAP_MARKS_SHARE) != NULL);
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
    char *end = ex.threads[thread].heap.heap_end;
    return end != NULL ? end : heap_start(thread);
}

bool heap_owns(const void *address)
{
    return heap_is_near(address);
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

uint32_t heap_blocks(uint32_t thread)
{
    return thread == HEAP_SETUP ? setup_count : ex.threads[thread].heap.allocations;
}

/* Where the blocks of a range begin, in units from its start, rising. */
static uint32_t *index_of(uint32_t thread)
{
    uintptr_t offset = (uintptr_t)heap_start(thread) - SETUP_HEAP_ADDRESS;
    return (uint32_t *)(HEAP_INDEX_ADDRESS + offset / INDEX_SHARE);
}

static struct header *nth_header(uint32_t thread, uint32_t number)
{
    return (struct header *)(heap_start(thread) + (size_t)index_of(thread)[number - 1] * UNIT) - 1;
}

static size_t room_for(size_t size)
{
    return (size + TAIL_LEAST + UNIT - 1) & ~(size_t)(UNIT - 1);
}

static uint64_t seal_of(const struct header *header)
{
    uint64_t state = (uint64_t)header->number << 32 | (uint32_t)header->way << 16 | header->state;
    return (header->size * 0x9e3779b97f4a7c15) ^ (header->site << 17) ^ state ^ (uint64_t)header;
}

static void append(uint32_t thread, char *start, char *end)
{
    uint32_t number;
    if (thread == HEAP_SETUP) {
        number = ++setup_count;
        setup_end = end;
    } else {
        number = ++ex.threads[thread].heap.allocations;
        ex.threads[thread].heap.heap_end = end;
    }
    index_of(thread)[number - 1] = (uint32_t)((size_t)(start - heap_start(thread)) / UNIT);
}

#define TAIL_WORD (TAIL_BYTE * 0x0101010101010101ul)

/* The end is at a whole unit. */
static void fill_tail(char *at, char *end)
{
    for (; (uintptr_t)at % sizeof(uint64_t) != 0; at++)
        *at = (char)TAIL_BYTE;
    for (volatile uint64_t *word = (uint64_t *)at; (char *)word < end;
         word++) /* never a string instruction */
        *word = TAIL_WORD;
}

static bool tail_is_whole(const char *at, const char *end)
{
    for (; (uintptr_t)at % sizeof(uint64_t) != 0; at++)
        if (*at != (char)TAIL_BYTE)
            return false;
    for (const uint64_t *word = (const uint64_t *)at; (const char *)word < end; word++)
        if (*word != TAIL_WORD)
            return false;
    return true;
}

static void *open_block(void *start, size_t size, uint32_t number, uintptr_t site)
{
    struct header *header = (struct header *)start - 1;
    *header = (struct header){.size = size, .site = site, .state = HEADER_ALIVE, .number = number};
    header->seal = seal_of(header);
    fill_tail((char *)start + size, (char *)start + room_for(size));
    return start;
}

/* The kernel would have had room. A program must not depend on a limit of Bohr's. */
static void *no_room(size_t size, uintptr_t site)
{
    if (rt.running && size <= MAIN_HEAP_SIZE)
        refuse_call(
            "malloc",
            "the blocks of the main thread take more than 32 GiB, or those of another thread "
            "more than 1 GiB; allocate in the main thread, or test with less",
            site);
    return NULL;
}

void *heap_take(size_t size, size_t alignment, uintptr_t site)
{
    uint32_t thread = rt.running ? ex.current : HEAP_SETUP;
    char *end = heap_end(thread);
    if (alignment < UNIT)
        alignment = UNIT;
    size_t range = range_size(thread);
    if (size > range || alignment > range)
        return no_room(size, site);
    uintptr_t start = ((uintptr_t)end + UNIT + alignment - 1) & ~(alignment - 1);
    size_t room = room_for(size);
    if (start + room > (uintptr_t)heap_start(thread) + range)
        return no_room(size, site);
    append(thread, (char *)start, (char *)start + room);
    return open_block((void *)start, size, heap_blocks(thread), site);
}

void heap_set_way(void *start, enum heap_way way)
{
    struct header *header = (struct header *)start - 1;
    header->way = (uint16_t)way;
    header->seal = seal_of(header);
}

void *heap_take_own(size_t size, size_t alignment, uintptr_t site)
{
    void *start = heap_take(size, alignment, site);
    if (start != NULL)
        heap_set_way(start, HEAP_OWN);
    return start;
}

enum heap_way heap_way(const void *start)
{
    return (enum heap_way)((const struct header *)start - 1)->way;
}

static bool is_whole(const struct header *header)
{
    return (header->state == HEADER_ALIVE || header->state == HEADER_FREED) &&
           header->seal == seal_of(header);
}

/* The last block whose header begins at or before an address; 0: none. */
static uint32_t number_before(uint32_t thread, const void *address)
{
    uint32_t low = 0, high = heap_blocks(thread);
    uint64_t units = (uint64_t)((const char *)address - heap_start(thread)) / UNIT;
    const uint32_t *index = index_of(thread);
    while (low < high) { /* blocks up to `low` do, those behind `high` do not */
        uint32_t middle = low + (high - low + 1) / 2;
        if (index[middle - 1] - 1 <= units)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The header of the block around an address; NULL: it is in none. */
static struct header *header_around(const void *address)
{
    uint32_t thread = heap_owner(address);
    if (thread > HEAP_SETUP || (thread < HEAP_SETUP && thread >= ex.thread_count) ||
        (const char *)address >= heap_end(thread))
        return NULL;
    uint32_t number = number_before(thread, address);
    return number == 0 ? NULL : nth_header(thread, number);
}

enum heap_state heap_state(const void *start)
{
    const struct header *header = header_around(start);
    if (header == NULL || header + 1 != start)
        return HEAP_NOT_A_BLOCK;
    if (!is_whole(header))
        return HEAP_HEADER_BROKEN;
    if (header->state != HEADER_ALIVE)
        return HEAP_FREED_BEFORE;
    const char *block = start;
    return tail_is_whole(block + header->size, block + room_for(header->size)) ? HEAP_ALIVE
                                                                               : HEAP_TAIL_BROKEN;
}

void heap_give(void *start)
{
    struct header *header = (struct header *)start - 1;
    header->state = HEADER_FREED;
    header->seal = seal_of(header);
}

size_t heap_size(const void *start)
{
    const struct header *header = (const struct header *)start - 1;
    return is_whole(header) ? header->size : 0;
}

static void describe(const struct header *header, uint32_t thread, struct heap_block *block)
{
    *block = (struct heap_block){.start = (void *)(header + 1),
                                 .size = header->size,
                                 .site = header->site,
                                 .thread = thread,
                                 .number = header->number,
                                 .way = (enum heap_way)header->way,
                                 .freed = header->state != HEADER_ALIVE};
}

bool heap_find(const void *address, struct heap_block *block)
{
    const struct header *header = header_around(address);
    if (header == NULL || !is_whole(header))
        return false;
    describe(header, heap_owner(address), block);
    return (const char *)address < (const char *)block->start + room_for(block->size);
}

bool heap_nth(uint32_t thread, uint32_t number, struct heap_block *block)
{
    const struct header *header = nth_header(thread, number);
    if (!is_whole(header))
        return false;
    describe(header, thread, block);
    return true;
}

bool heap_describe(struct object *object)
{
    struct heap_block block;
    if (!heap_find((const void *)object->address, &block))
        return false;
    object->place = OBJECT_HEAP;
    object->thread = (thread_id)block.thread;
    object->number = block.number;
    object->start = (uint64_t)block.start;
    object->size = block.size;
    object->site = block.site;
    return true;
}
