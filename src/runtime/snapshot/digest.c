/* Where reset knows what pages can have changed only these are looked at. A page of zeros counts as
 * one that was never touched, and one that is as it was at the start as one that was never
 * written. */
#include "runtime/snapshot/digest.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/heap/heap.h"
#include "runtime/snapshot/maps.h"
#include "runtime/snapshot/snapshot.h"

enum { MAPPINGS_MAX = 512, CHUNK = 512, PAGES_LOOKED_AT_MAX = 1 << 14 };
#define MAPPED_MAX (1ul << 32)

struct digest {
    uint32_t count;
    struct {
        char *low, *high;
    } mappings[MAPPINGS_MAX];
};

static struct digest *filling;
static uint64_t rights_sum;              /* zero but while they are looked at */
static uint32_t renamed_from;            /* threads, while a digest is taken; 0: none */
static const struct digest_times *times; /* NULL, or the same one whenever a digest is taken */

static void add(char *low, char *high, bool file)
{
    uintptr_t at = (uintptr_t)low;
    bool threads = at >= STACKS_ADDRESS && at < HEAPS_ADDRESS + THREADS_MAX * HEAP_SIZE;
    if (plan_is_ours(at) || threads)
        return;
    if (filling->count < MAPPINGS_MAX) {
        filling->mappings[filling->count].low = low;
        filling->mappings[filling->count].high = high;
    }
    filling->count++;
}

/* Memory that may be written at times is looked at whenever it can be read; and who may do what
 * with which is part of a state. */
static void add_with_rights(char *low, char *high, unsigned rights, bool private)
{
    if (plan_is_ours((uintptr_t)low))
        return;
    rights_sum += mix(mix((uintptr_t)low, (uintptr_t)high), rights);
    if (rights & 1 && private)
        add(low, high, false);
}

static uint64_t list_by_rights(struct digest *digest)
{
    digest->count = 0;
    filling = digest;
    maps_all(add_with_rights);
    uint64_t sum = rights_sum;
    filling = NULL;
    rights_sum = 0;
    return sum;
}

struct digest *digest_begin(void)
{
    struct digest *digest = execution_take(sizeof *digest);
    digest->count = 0;
    filling = digest;
    if (!snapshot_knows_changes())
        maps_writable(add);
    filling = NULL; /* it is part of what is looked at */
    return digest;
}

void digest_rename(uint32_t first)
{
    renamed_from = first;
}

uint64_t digest_name(uint32_t thread)
{
    return renamed_from != 0 && thread >= renamed_from
               ? UINT32_MAX + (uint64_t)ex.thread_count - thread
               : thread;
}

static uint32_t owner_of(const void *word)
{
    if (heap_is_near(word))
        return heap_owner(word);
    uint32_t thread = renamed_from;
    while (thread < ex.thread_count && ((const char *)word < rt.stacks[thread].low ||
                                        (const char *)word >= rt.stacks[thread].top))
        thread++;
    return thread;
}

/* What points to the stack or the heap of one of those threads names it by how many came after
 * it. */
uint64_t digest_pointer(uint64_t word)
{
    if (renamed_from == 0 ||
        word - STACKS_ADDRESS >= HEAPS_ADDRESS + THREADS_MAX * HEAP_SIZE - STACKS_ADDRESS)
        return word;
    uint32_t owner = owner_of((const void *)word);
    if (owner < renamed_from || owner >= ex.thread_count)
        return word;
    uint64_t start = heap_is_near((const void *)word) ? (uint64_t)heap_start(owner)
                                                      : (uint64_t)rt.stacks[owner].low;
    return mix(digest_name(owner), word - start);
}

static uint64_t digest_renamed(const uint64_t *low, const uint64_t *end)
{
    uint64_t hash = 0x9e3779b97f4a7c15, any = 0;
    for (const uint64_t *at = low; at < end; at++) {
        any |= *at;
        hash = mix_fold(digest_pointer(*at) ^ 0x8ebc6af09c88c6e3, hash ^ 0x589965cc75374cc3);
    }
    return any == 0 ? 0 : mix(hash, digest_pointer((uintptr_t)low)) | 1;
}

void digest_see_times(const struct digest_times *seen)
{
    times = seen;
}

static const uint64_t digest_units[UNITS] = {1, 1000, 1000000, 1000000000};

#define NEAR   10 /* seconds: the fewer, the fewer other numbers are taken for times */
#define SECOND 1000000000ul

/* The unit in which a word is near a clock's time, counted over the clocks; 0: in none. */
static uint32_t unit_of(uint64_t word, uint64_t *distance)
{
    static const uint64_t near[UNITS] = {NEAR * SECOND, NEAR * 1000000ul, NEAR * 1000ul, NEAR};
    for (uint32_t i = 0; word > NEAR && i < DIGEST_CLOCKS * UNITS; i++) {
        *distance = word - times->now[i / UNITS][i % UNITS];
        if (*distance + near[i % UNITS] <= 2 * near[i % UNITS])
            return i + 1;
    }
    return 0;
}

/* A part of a second not far from the one that it is now. */
static bool is_part(uint64_t word)
{
    uint64_t near = SECOND / 20, part = times->now[0][UNIT_NANOSECONDS] % SECOND;
    return word >= PAGE && word < SECOND && (word + SECOND + near - part) % SECOND <= 2 * near;
}

/* Seconds and a part behind them are one time. On a stack a part may be alone. */
struct word {
    uint32_t unit; /* 0: none */
    bool parted, part;
    uint64_t value, distance;
};

static uint32_t place_in(const struct digest_list *list, const uint64_t *at)
{
    uint32_t i = 0;
    while (i < list->count && list->all[i].at != at)
        i++;
    return i;
}

static bool was_part(const uint64_t *at)
{
    const struct digest_list *moving = &times->known->moving;
    uint32_t i = place_in(moving, at);
    return times->known->stage == MOVING && i < moving->count && moving->all[i].part;
}

static struct word look_at(const uint64_t *at, const uint64_t *end)
{
    struct word word = {.value = *at};
    word.unit = unit_of(*at, &word.distance);
    bool seconds = word.unit != 0 && (word.unit - 1) % UNITS == UNIT_SECONDS;
    word.parted = seconds && at + 1 < end && at[1] < SECOND;
    word.part = times->on_stack && *at >= PAGE && *at < SECOND && (word.unit == 0 || was_part(at));
    if (word.part)
        word.unit = 0;
    if (word.parted) {
        word.value = *at * SECOND + at[1];
        word.distance = word.value - times->now[(word.unit - 1) / UNITS][UNIT_NANOSECONDS];
    } else if (word.part) {
        word.distance = (*at + SECOND - times->now[0][UNIT_NANOSECONDS] % SECOND) % SECOND;
    }
    return word;
}

static void list_time(struct digest_list *list, const uint64_t *at, const struct word *word)
{
    if (list->count < DIGEST_KNOWN) {
        list->all[list->count].at = at;
        list->all[list->count].part = word->part;
        list->all[list->count].parted = word->parted;
        list->all[list->count].unit = word->unit;
        list->all[list->count++].value = word->value;
    }
}

/* Those that were there when it began, and are as they were, do not move. */
static bool does_move(const uint64_t *at, const struct word *word)
{
    struct digest_known *known = times->known;
    const struct digest_list *list = known->stage == MOVING ? &known->moving : &known->fixed;
    uint32_t i = place_in(list, at);
    bool moves = (i == list->count) != (known->stage == MOVING);
    if (known->stage == FIND_FIXED)
        list_time(&known->fixed, at, word);
    if (known->stage < MOVING && i < list->count)
        moves = list->all[i].value != word->value;
    if (known->stage == FIND_MOVING && moves)
        list_time(&known->moving, at, word);
    return moves;
}

static void carry_on(uint64_t *at, const struct word *word)
{
    uint64_t leap = times->leap, now = 0;
    if (word->unit != 0)
        now = times->now[(word->unit - 1) / UNITS][UNIT_NANOSECONDS];
    if (word->parted) {
        at[0] = (word->value + leap) / SECOND;
        at[1] = (word->value + leap) % SECOND;
    } else if (word->part) {
        *at = (*at + leap) % SECOND;
    } else {
        uint64_t length = digest_units[(word->unit - 1) % UNITS];
        *at += (now + leap) / length - now / length;
    }
}

/* Compilers keep the whole seconds of a time. They are told anew in each turn: nobody carries them
 * on. The number of that time, from 1; 0: of none. */
static uint32_t whole_of(uint64_t value)
{
    const struct digest_list *moving = &times->known->moving;
    for (uint32_t i = 0; times->known->stage == MOVING && i < moving->count; i++) {
        if (moving->all[i].part)
            continue;
        uint64_t seconds =
            *moving->all[i].at * digest_units[(moving->all[i].unit - 1) % UNITS] / SECOND;
        if (value == seconds || value == seconds * SECOND)
            return i + 1;
    }
    return 0;
}

static uint64_t digest_moving(const uint64_t *low, const uint64_t *end)
{
    uint64_t hash = 0x9e3779b97f4a7c15, any = 0;
    for (const uint64_t *at = low; at < end; at++) {
        struct word word = look_at(at, end);
        uint64_t value = *at;
        uint32_t number;
        bool moves = (word.unit != 0 || word.part) && does_move(at, &word);
        any |= value;
        if (moves && times->leap != 0)
            carry_on((uint64_t *)(uintptr_t)at, &word);
        else if (moves)
            value = mix(word.unit, word.distance);
        else if (times->on_stack && (number = whole_of(value)) != 0)
            value = ~(uint64_t)number;
        at += moves && word.parted;
        hash = mix_fold(value ^ 0x8ebc6af09c88c6e3, hash ^ 0x589965cc75374cc3);
    }
    return any == 0 ? 0 : mix(hash, (uintptr_t)low) | 1;
}

/* Seconds since a start not long ago are as small as other numbers: alike are only those with a
 * part of a second behind them. */
static uint64_t digest_timed(const uint64_t *word, const uint64_t *end)
{
    uint64_t hash = 0x9e3779b97f4a7c15, any = 0, distance;
    for (const uint64_t *at = word; at < end; at++) {
        uint64_t value = *at;
        uint32_t unit = unit_of(value, &distance);
        bool whole = unit != 0 && (unit - 1) % UNITS == UNIT_SECONDS;
        bool parted = whole && at + 1 < end && at[1] < SECOND;
        any |= value;
        if (unit != 0 && !times->alike)
            value = mix(unit, distance);
        else if (unit != 0 && (parted || unit != UNIT_SECONDS + 1))
            value = unit;
        else if (times->alike && is_part(value))
            value = UINT64_MAX;
        at += times->alike && parted;
        hash = mix_fold(value ^ 0x8ebc6af09c88c6e3, hash ^ 0x589965cc75374cc3);
    }
    return any == 0 ? 0 : mix(hash, (uintptr_t)word) | 1;
}

static uint64_t digest_words(const char *low, const char *high)
{
    if (unlikely(times != NULL))
        return (times->known != NULL ? digest_moving : digest_timed)(
            (const uint64_t *)low, (const uint64_t *)((uintptr_t)high & ~7ul));
    bool setup = (uintptr_t)low - SETUP_HEAP_ADDRESS <
                 SETUP_HEAP_SIZE; /* it knows the stacks by what they are */
    if (unlikely(renamed_from != 0) && !setup)
        return digest_renamed((const uint64_t *)low, (const uint64_t *)((uintptr_t)high & ~7ul));
    const uint64_t *word = (const uint64_t *)low;
    uint64_t first = 0x9e3779b97f4a7c15, second = 0xbf58476d1ce4e5b9, any = 0;
    for (; (const char *)(word + 4) <= high; word += 4) {
        any |= word[0] | word[1] | word[2] | word[3];
        first = mix_fold(word[0] ^ 0xa0761d6478bd642f, word[1] ^ first);
        second = mix_fold(word[2] ^ 0xe7037ed1a0b428db, word[3] ^ second);
    }
    for (; (const char *)(word + 1) <= high; word++) {
        any |= *word;
        first = mix_fold(*word ^ 0x8ebc6af09c88c6e3, first ^ 0x589965cc75374cc3);
    }
    return any == 0 ? 0 : mix(mix(first, second), (uintptr_t)low) | 1;
}

static bool is_readable(const char *page)
{
    char byte;
    struct iovec to = {&byte, 1}, from = {(void *)(uintptr_t)page, 1};
    long process = os_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
    return os_call(SYS_process_vm_readv, process, (long)&to, 1, (long)&from, 1, 0) == 1;
}

/* What nobody may read stays as it is as long as that is so: taking and giving the right to counts
 * as changed for good. */
uint64_t digest_range(const char *low, const char *high)
{
    if (likely(!ex.guarded))
        return digest_words(low, high);
    uint64_t sum = 0;
    for (const char *end; low < high; low = end) {
        end = (const char *)(((uintptr_t)low + PAGE) & ~(PAGE - 1));
        end = end < high ? end : high;
        if (is_readable(low))
            sum += digest_words(low, end);
    }
    return sum;
}

struct looked {
    uint64_t count, most; /* pages */
};

/* In a process that was forked for this execution a page that it shares is as it was then. */
static bool was_written(uint64_t entry)
{
    return maps_is_written(entry) && (!rt.forked || maps_is_own(entry));
}

/* … of the pages that may have been written; their number is added up. Of mappings of the program's
 * own not even that is known. */
static uint64_t digest_touched(int descriptor, char *low, char *high, bool known_to_us,
                               struct looked *looked)
{
    uint64_t sum = 0, entries[CHUNK];
    while (low < high && looked->count < looked->most) {
        size_t count = ((size_t)(high - low) + PAGE - 1) / PAGE;
        count = count < CHUNK ? count : CHUNK;
        long size = (long)(count * sizeof *entries);
        bool known = os_call(SYS_pread64, descriptor, (long)entries, size,
                             (long)((uintptr_t)low / PAGE * sizeof *entries), 0, 0) == size;
        for (size_t i = 0; i < count && low < high; i++, low += PAGE) {
            if (known && !(known_to_us ? was_written : maps_is_present)(entries[i]))
                continue;
            if (!known_to_us && !is_readable(low))
                continue;
            sum += digest_range(low, low + PAGE < high ? low + PAGE : high);
            looked->count++;
        }
    }
    return sum;
}

static uint64_t digest_mappings(struct digest *digest, struct looked *looked)
{
    char *low = heap_start(HEAP_SETUP), *high = heap_end(HEAP_SETUP);
    uint64_t sum = 0, mapped = 0, rights = ex.protects ? list_by_rights(digest) : 0;
    looked->count += (uint64_t)(high - low) / PAGE;
    if (looked->count < looked->most)
        sum = digest_range(low, high);
    int descriptor = os_open("/proc/self/pagemap");
    for (uint32_t i = 0; i < digest->count && i < MAPPINGS_MAX; i++) {
        mapped += (uint64_t)(digest->mappings[i].high - digest->mappings[i].low);
        if (mapped <= MAPPED_MAX)
            sum += digest_touched(descriptor, digest->mappings[i].low, digest->mappings[i].high,
                                  true, looked);
    }
    if (descriptor >= 0)
        os_close(descriptor);
    if (digest->count > MAPPINGS_MAX || mapped > MAPPED_MAX)
        looked->count = looked->most;
    return sum + rights;
}

static struct {
    struct looked *looked;
    int descriptor;
    uint64_t sum;
} mapped; /* zero but while they are looked at: it is looked at, too */

static void digest_mapping(char *low, char *high)
{
    mapped.sum += digest_touched(mapped.descriptor, low, high, false, mapped.looked);
}

/* What the program has mapped is not among what reset copies. */
static uint64_t digest_mapped(struct looked *looked)
{
    mapped.looked = looked;
    mapped.descriptor = os_open("/proc/self/pagemap");
    bool all = world_each_mapping(digest_mapping);
    uint64_t sum = mapped.sum;
    if (mapped.descriptor >= 0)
        os_close(mapped.descriptor);
    memset(&mapped, 0, sizeof mapped);
    if (!all)
        looked->count = looked->most;
    return sum;
}

static uint64_t digest_part(const char *low, const char *high, struct looked *looked)
{
    looked->count += (uint64_t)(high - low) / PAGE;
    return looked->count < looked->most ? digest_range(low, high) : 0;
}

/* Large blocks that were freed are left out: nobody may look at them, and there are ever more of
 * them. */
static uint64_t digest_heap(thread_id thread, struct looked *looked)
{
    const char *low = heap_start(thread);
    uint64_t sum = 0;
    struct heap_block block;
    for (uint32_t i = 1; !ex.guarded && i <= heap_blocks(thread); i++) {
        if (!heap_nth(thread, i, &block) || !block.freed || block.size < PAGE)
            continue;
        sum += digest_part(low, block.start, looked);
        low = (const char *)block.start + (block.size & ~7ul);
    }
    return sum + digest_part(low, heap_end(thread), looked);
}

static uint64_t digest_thread(thread_id thread, struct looked *looked)
{
    const struct stack *stack = &rt.stacks[thread];
    char *high = heap_end(thread);
    uint64_t sum = renamed_from != 0 && thread >= renamed_from ? 0 : mix((uintptr_t)high, thread);
    sum += digest_heap(thread, looked);
    /* the kernel writes to that of a thread which has ended, some time */
    if (stack->top > stack->high && ex.threads[thread].state != THREAD_ENDED)
        sum += digest_range(stack->high, stack->top);
    return sum;
}

uint64_t digest_memory(struct digest *digest, uint64_t *pages_left)
{
    struct looked looked = {.most = *pages_left < PAGES_LOOKED_AT_MAX ? *pages_left
                                                                      : PAGES_LOOKED_AT_MAX};
    uint64_t sum = snapshot_knows_changes() ? snapshot_digest(&looked.count, looked.most)
                                            : digest_mappings(digest, &looked);
    for (thread_id thread = 0; thread < ex.thread_count; thread++)
        sum += digest_thread(thread, &looked);
    if (world_has_mappings())
        sum += digest_mapped(&looked);
    *pages_left -= looked.count < *pages_left ? looked.count : *pages_left;
    return looked.count < looked.most ? sum | 1 : 0;
}
