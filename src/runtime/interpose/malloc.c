/* malloc and its family. Outside of the coordinator's reach they are libc's. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "runtime/engine/flight.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/modules.h"
#include "runtime/engine/object.h"
#include "runtime/engine/real.h"
#include "runtime/heap/heap.h"
#include "runtime/heap/sparse.h"
#include "runtime/interpose/interpose.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/time/signal_unsafe.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

void *malloc_take(size_t size, size_t alignment, uintptr_t site)
{
    void *block = heap_take(size, alignment, site);
    if (block == NULL)
        errno = ENOMEM;
    else if (unlikely(detecting(DETECT_UNINITIALISED)) && rt.running)
        heap_fill_unset(block, size);
    return block;
}

static void *take_zeros(size_t size, uintptr_t site)
{
    void *block = heap_take(size, 16, site); /* fresh memory is zero */
    if (block == NULL)
        errno = ENOMEM;
    return block;
}

static void bad_free(enum finding_kind kind, const char *message, void *block, uintptr_t site)
{
    struct finding *finding = finding_add(kind, message, site, 0);
    if (finding == NULL && !detecting(DETECT_HEAP))
        return;
    if (finding != NULL) {
        finding->address = (uint64_t)block;
        finding->object = object_number(block);
        if (kind == FINDING_DOUBLE_FREE)
            memory_tell_freed(finding, block);
    }
    if (!finding_is_passed(kind, site, 0))
        memory_fail(site);
}

/* Blocks of libc's own malloc from before the program began may come back to it. */
static uintptr_t libc_low = UINTPTR_MAX, libc_high;

static void *from_libc(void *block)
{
    uintptr_t at = (uintptr_t)block;
    if (at != 0 && at < libc_low)
        libc_low = at;
    if (at > libc_high)
        libc_high = at;
    return block;
}

static void give_foreign(void *block, uintptr_t site)
{
    bool libcs = (uintptr_t)block >= libc_low && (uintptr_t)block <= libc_high;
    if (libcs || !rt.running)
        __libc_free(block);
    else
        bad_free(FINDING_INVALID_FREE, "it is not memory of the heap", block, site);
}

/* Whether a block can be freed now; otherwise a finding, unless nobody wants to know. */
static bool can_free(void *block, uintptr_t site)
{
    switch (heap_state(block)) {
    case HEAP_ALIVE:
        return true;
    case HEAP_FREED_BEFORE:
        if (rt.running)
            bad_free(FINDING_DOUBLE_FREE, "a block is freed twice", block, site);
        return false;
    case HEAP_NOT_A_BLOCK:
        if (rt.running)
            bad_free(FINDING_INVALID_FREE, "not the start of a heap block", block, site);
        return false;
    case HEAP_HEADER_BROKEN:
        if (rt.running)
            bad_free(FINDING_OUT_OF_BOUNDS, "the header of a heap block was overwritten", block,
                     site);
        return false;
    case HEAP_TAIL_BROKEN:
        if (rt.running)
            bad_free(FINDING_OUT_OF_BOUNDS, "memory behind a heap block was overwritten", block,
                     site);
        return true;
    }
    return false;
}

static const char *const mismatches[HEAP_WAYS][HEAP_WAYS] = {
    [HEAP_MALLOC] = {[HEAP_NEW] = "allocated with malloc, freed with delete",
                     [HEAP_NEW_ARRAY] = "allocated with malloc, freed with delete[]"},
    [HEAP_NEW] = {[HEAP_MALLOC] = "allocated with new, freed with free",
                  [HEAP_NEW_ARRAY] = "allocated with new, freed with delete[]"},
    [HEAP_NEW_ARRAY] = {[HEAP_MALLOC] = "allocated with new[], freed with free",
                        [HEAP_NEW] = "allocated with new[], freed with delete"},
    [HEAP_OWN] = {[HEAP_MALLOC] = "memory of the C library, freed with free",
                  [HEAP_NEW] = "memory of the C library, freed with delete",
                  [HEAP_NEW_ARRAY] = "memory of the C library, freed with delete[]"},
};

/* The memory is free all the same, as it is with libc. */
static void check_way(void *start, enum heap_way way, uintptr_t site)
{
    struct heap_block block;
    if (likely(heap_way(start) == way) || !heap_find(start, &block))
        return;
    struct finding *finding =
        finding_add(FINDING_MISMATCHED_FREE, mismatches[block.way][way], site, block.site);
    if (finding == NULL)
        return;
    finding->address = (uint64_t)start;
    finding->object = object_number(start);
    finding->places[1] =
        (struct place){.site = block.site,
                       .thread = block.thread < HEAP_SETUP ? (thread_id)block.thread : NO_THREAD};
}

void malloc_give(void *block, enum heap_way way, uintptr_t site)
{
    if (block == NULL)
        return;
    if (!heap_owns(block)) {
        give_foreign(block, site);
        return;
    }
    if (rt.running)
        memory_free(block, heap_size(block), site); /* a step: others may free it before */
    if (!can_free(block, site))
        return;
    if (rt.running) {
        check_way(block, way, site);
        if (module_is_watched(site))
            misuse_of_locked(block, heap_size(block), "is freed that is locked", site);
    }
    heap_give(block);
}

void *malloc_again(void *block, size_t size, uintptr_t site)
{
    if (block == NULL)
        return malloc_take(size, 16, site);
    if (!heap_owns(block))
        return __libc_realloc(block, size);
    if (size == 0) { /* frees it, as with glibc */
        malloc_give(block, HEAP_MALLOC, site);
        return NULL;
    }
    size_t old = heap_size(block);
    if (rt.running && !can_free(block, site))
        return NULL;
    void *new = malloc_take(size, 16, site);
    if (new == NULL)
        return NULL;
    size_t common = old < size ? old : size;
    if (unlikely(detecting(DETECT_UNINITIALISED)))
        memcpy(new, block, common); /* it is filled with something else than zeros */
    else
        sparse_copy(new, block, common);
    malloc_give(block, HEAP_MALLOC, site);
    return new;
}

size_t malloc_size(void *block)
{
    return block == NULL || !heap_owns(block) ? 0 : heap_size(block);
}

void malloc_called(const char *name, uintptr_t site)
{
    unsafe_call(CALL_STATEFUL, name, site);
}

/* Whether it is our heap that the function is called for. */
#define OURS(name) (controlled && (malloc_called(name, CALL_SITE), true))

void *malloc_at(size_t size, uintptr_t site)
{
    if (!controlled)
        return from_libc(__libc_malloc(size));
    malloc_called("malloc", site);
    return malloc_take(size, 16, site);
}

EXPORT void *malloc(size_t size)
{
    return malloc_at(size, CALL_SITE);
}

EXPORT void free(void *block)
{
    if (block == NULL)
        return;
    if (OURS("free"))
        malloc_give(block, HEAP_MALLOC, CALL_SITE);
    else
        __libc_free(block);
}

EXPORT void *calloc(size_t count, size_t size)
{
    if (!OURS("calloc"))
        return from_libc(__libc_calloc(count, size));
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return take_zeros(total, CALL_SITE);
}

EXPORT void *realloc(void *block, size_t size)
{
    return OURS("realloc") ? malloc_again(block, size, CALL_SITE)
                           : from_libc(__libc_realloc(block, size));
}

EXPORT void *reallocarray(void *block, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return OURS("reallocarray") ? malloc_again(block, total, CALL_SITE)
                                : from_libc(__libc_realloc(block, total));
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    return OURS("memalign") ? malloc_take(size, alignment, CALL_SITE)
                            : from_libc(__libc_memalign(alignment, size));
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return OURS("aligned_alloc") ? malloc_take(size, alignment, CALL_SITE)
                                 : from_libc(__libc_memalign(alignment, size));
}

EXPORT void *valloc(size_t size)
{
    return OURS("valloc") ? malloc_take(size, PAGE, CALL_SITE)
                          : from_libc(__libc_memalign(PAGE, size));
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    void *made = OURS("posix_memalign") ? heap_take(size, alignment, CALL_SITE)
                                        : from_libc(__libc_memalign(alignment, size));
    if (made == NULL)
        return ENOMEM;
    called_writes(block, sizeof *block, CALL_SITE);
    *block = made;
    return 0;
}

EXPORT size_t malloc_usable_size(void *block)
{
    if (controlled)
        return malloc_size(block);
    size_t (*real)(void *) = real_symbol("malloc_usable_size");
    return real(block);
}
