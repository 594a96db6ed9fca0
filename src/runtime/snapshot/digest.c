/* Where reset knows what pages can have changed only these are looked at. A page of zeros counts as
 * one that was never touched, and one that is as it was at the start as one that was never
 * written. */
#include "runtime/snapshot/digest.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/engine/upper.h"
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

static uint64_t digest_words(const char *low, const char *high)
{
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

/* Memory that nobody may read stays as it is as long as that is so: taking and giving the right to
 * counts as changed for good. */
uint64_t digest_range(const char *low, const char *high)
{
    if (likely(!ex.memory.guarded))
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

/* A digest of the pages that may have been written; their number is added up. Of mappings of the
 * program's own not even that is known. */
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
    uint64_t sum = 0, mapped = 0;
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
    return sum;
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

/* Mappings of the program's own, which reset does not copy. */
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
    for (uint32_t i = 1; !ex.memory.guarded && i <= heap_blocks(thread); i++) {
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
    uint64_t sum = mix((uintptr_t)high, thread);
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
