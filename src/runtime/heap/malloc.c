/* malloc and its family. Outside of the coordinator's reach they are libc's. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "runtime/board.h"
#include "runtime/heap/heap.h"
#include "runtime/interpose/interpose.h"
#include "runtime/memory/memory.h"
#include "runtime/object.h"
#include "runtime/real.h"
#include "runtime/scheduler.h"

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
    return block;
}

static void bad_free(enum finding_kind kind, const char *message, void *block, uintptr_t site)
{
    struct finding *finding = finding_add(kind, message, site, 0);
    if (finding != NULL) {
        finding->address = (uint64_t)block;
        finding->object = object_number(block);
    }
    execution_fail();
}

void malloc_give(void *block, uintptr_t site)
{
    if (block == NULL)
        return;
    if (!heap_owns(block)) {
        __libc_free(block);
        return;
    }
    if (rt.running)
        memory_free(block, heap_size(block), site);
    switch (heap_give(block)) {
    case HEAP_FREED: return;
    case HEAP_FREED_BEFORE:
        if (rt.running)
            bad_free(FINDING_DOUBLE_FREE, "a block is freed twice", block, site);
        return;
    case HEAP_NOT_A_BLOCK:
        if (rt.running)
            bad_free(FINDING_INVALID_FREE, "not the start of a heap block", block, site);
        return;
    }
}

void *malloc_again(void *block, size_t size, uintptr_t site)
{
    if (block == NULL)
        return malloc_take(size, 16, site);
    if (!heap_owns(block))
        return __libc_realloc(block, size);
    if (size == 0) { /* frees it, as with glibc */
        malloc_give(block, site);
        return NULL;
    }
    size_t old = heap_size(block);
    void *new = malloc_take(size, 16, site);
    if (new == NULL)
        return NULL;
    memcpy(new, block, old < size ? old : size);
    malloc_give(block, site);
    return new;
}

size_t malloc_size(void *block)
{
    return block == NULL || !heap_owns(block) ? 0 : heap_size(block);
}

EXPORT void *malloc(size_t size)
{
    return controlled ? malloc_take(size, 16, CALL_SITE) : __libc_malloc(size);
}

EXPORT void free(void *block)
{
    if (controlled)
        malloc_give(block, CALL_SITE);
    else
        __libc_free(block);
}

EXPORT void *calloc(size_t count, size_t size)
{
    if (!controlled)
        return __libc_calloc(count, size);
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return malloc_take(total, 16, CALL_SITE); /* fresh memory is zero */
}

EXPORT void *realloc(void *block, size_t size)
{
    return controlled ? malloc_again(block, size, CALL_SITE) : __libc_realloc(block, size);
}

EXPORT void *reallocarray(void *block, size_t count, size_t size)
{
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return controlled ? malloc_again(block, total, CALL_SITE) : __libc_realloc(block, total);
}

EXPORT void *memalign(size_t alignment, size_t size)
{
    return controlled ? malloc_take(size, alignment, CALL_SITE)
                      : __libc_memalign(alignment, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return controlled ? malloc_take(size, alignment, CALL_SITE)
                      : __libc_memalign(alignment, size);
}

EXPORT void *valloc(size_t size)
{
    return controlled ? malloc_take(size, PAGE, CALL_SITE) : __libc_memalign(PAGE, size);
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    void *made = controlled ? heap_take(size, alignment, CALL_SITE)
                            : __libc_memalign(alignment, size);
    if (made == NULL)
        return ENOMEM;
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
