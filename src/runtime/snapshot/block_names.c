#include "runtime/snapshot/block_names.h"

#include <string.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/engine/upper.h"
#include "runtime/heap/heap.h"

enum { BLOCKS_MAX = 1 << 18, SLOTS = 2 * BLOCKS_MAX };

/* Out of the program's memory, or it would be part of what is looked at. */
struct known_blocks {
    uint32_t state; /* slots of other states are free */
    uint32_t count;
    bool too_many;
    uint32_t thread, seen; /* blocks up to there were looked at, for those that nothing points to */
    struct {
        const void *start;
        uint32_t state, number;
    } slots[SLOTS];
    struct known_block all[BLOCKS_MAX];
    bool unreached[BLOCKS_MAX];
};
#define known (*(struct known_blocks *)STATES_ADDRESS)

bool blocks_open(void)
{
    return os_map(STATES_ADDRESS, sizeof(struct known_blocks)) != NULL;
}

void blocks_begin(void)
{
    if (++known.state == 0) {
        memset(known.slots, 0, sizeof known.slots);
        known.state = 1;
    }
    known.count = known.thread = known.seen = 0;
    known.too_many = false;
}

static uint32_t slot_of(const void *start)
{
    uint32_t at = (uint32_t)(mix((uintptr_t)start, 1) % SLOTS);
    while (known.slots[at].state == known.state && known.slots[at].start != start)
        at = (at + 1) % SLOTS;
    return at;
}

static bool is_numbered(const void *start)
{
    return known.slots[slot_of(start)].state == known.state;
}

static uint32_t number_of(const struct heap_block *block, bool unreached)
{
    uint32_t at = slot_of(block->start);
    if (known.slots[at].state == known.state)
        return known.slots[at].number;
    if (known.count == BLOCKS_MAX) {
        known.too_many = true;
        return 0;
    }
    known.slots[at].start = block->start;
    known.slots[at].state = known.state;
    known.slots[at].number = known.count;
    known.all[known.count] =
        (struct known_block){.start = block->start, .size = block->size, .freed = block->freed};
    known.unreached[known.count] = unreached;
    return known.count++;
}

/* A thread is named by its creator, and its stack, its thread-local variables and what we know
 * of it after it. */
static uint64_t thread_word(uint64_t word)
{
    uint64_t in_threads = word - (uint64_t)ex.threads;
    if (in_threads < sizeof ex.threads)
        return mix_fold(ex.threads[in_threads / sizeof(struct thread)].name ^ 0xe7037ed1a0b428db,
                        in_threads % sizeof(struct thread) ^ 0x8ebc6af09c88c6e3);
    for (uint32_t i = 0; i < ex.thread_count; i++)
        if (word >= (uint64_t)rt.stacks[i].low && word < (uint64_t)rt.stacks[i].top)
            return mix_fold(ex.threads[i].name ^ 0xa0761d6478bd642f,
                            ((uint64_t)rt.stacks[i].top - word) ^ 0x589965cc75374cc3);
    return word;
}

uint64_t block_word(uint64_t word)
{
    if (heap_is_near((const void *)word)) {
        struct heap_block block;
        if (heap_owner((const void *)word) >= HEAP_SETUP || !heap_find((const void *)word, &block))
            return word;
        uint32_t number = number_of(&block, false);
        return mix_fold(number ^ 0x2d358dccaa6c78a5,
                        (word - (uint64_t)block.start) ^ 0x8bb84b93962eacc9);
    }
    bool in_stacks = word - STACKS_ADDRESS < SETUP_HEAP_ADDRESS - STACKS_ADDRESS;
    bool near = word - (uint64_t)ex.threads < sizeof ex.threads;
    return in_stacks || near ? thread_word(word) : word;
}

enum unreached blocks_number_unreached(void)
{
    for (; known.thread < ex.thread_count; known.thread++, known.seen = 0)
        while (known.seen < heap_blocks(known.thread)) {
            struct heap_block block;
            if (!heap_nth(known.thread, ++known.seen, &block))
                return UNREACHED_UNKNOWN;
            if (block.freed || is_numbered(block.start))
                continue;
            number_of(&block, true);
            return UNREACHED_NUMBERED;
        }
    return UNREACHED_NONE;
}

bool blocks_are_too_many(void)
{
    return known.too_many;
}

uint32_t blocks_numbered(void)
{
    return known.count;
}

const struct known_block *block_nth(uint32_t number)
{
    return &known.all[number];
}

uint64_t block_place(uint32_t number)
{
    return known.unreached[number] ? (uint64_t)known.all[number].start : 0;
}

bool access_mixes(const volatile void *address, enum access_kind kind, bool *for_the_first_time)
{
    uint8_t *place =
        &the_board->accessed[mix((uintptr_t)address / sizeof(uint64_t), 1) % PLACES_MAX];
    uint8_t before = *place;
    *place |= (uint8_t)(1u << kind);
    *for_the_first_time = *place != before && *place == 3;
    return *place == 3;
}
