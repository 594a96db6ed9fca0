// Results of the functions of the heap; the same as with libc.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s random -n 3
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t huge = SIZE_MAX / 2 + 2, hundred = 100;

__attribute__((noinline)) static void *is_aligned(void *block, size_t alignment)
{
    assert(block != NULL && (uintptr_t)block % alignment == 0);
    memset(block, 7, hundred);
    return block;
}

/* Not inlined: compilers leave out allocations that are only compared. */
__attribute__((noinline)) static void fails(void *block, int error)
{
    assert(block == NULL && errno == error);
    errno = 0;
}

static void aligned(void)
{
    void *block = NULL;
    free(is_aligned(aligned_alloc(256, 256), 256));
    free(is_aligned(memalign(4096, hundred), 4096));
    free(is_aligned(valloc(hundred), 4096));
    assert(posix_memalign(&block, 64, hundred) == 0);
    free(is_aligned(block, 64));
    assert(posix_memalign(&block, 3, hundred) == EINVAL);
    assert(posix_memalign(&block, 64, huge) == ENOMEM);
    errno = 0;
    fails(aligned_alloc(64, huge), ENOMEM);
    fails(memalign(64, huge), ENOMEM);
    fails(valloc(huge), ENOMEM);
}

static void grown(void)
{
    char *block = is_aligned(malloc(hundred), 16);
    assert(malloc_usable_size(block) >= hundred && malloc_usable_size(NULL) == 0);
    block = realloc(block, 5000);
    assert(block != NULL && block[99] == 7);
    block = reallocarray(block, 100, 100);
    assert(block != NULL && block[99] == 7);
    memmove(block + 1, block, hundred);
    assert(mempcpy(block + 400, block, 4) == block + 404);
    memcpy(block + 200, block, hundred);
    assert(block[100] == 7 && block[299] == 7);
    errno = 0;
    fails(realloc(block, huge), ENOMEM);
    fails(reallocarray(block, huge, 2), ENOMEM);
    assert(block[99] == 7);
    assert(realloc(block, 0) == NULL);
}

int main(void)
{
    char *zeros = calloc(hundred, 10);
    assert(zeros != NULL && zeros[0] == 0 && zeros[999] == 0);
    free(zeros);
    void *nothing = malloc(0);
    assert(nothing != NULL);
    free(nothing);
    free(NULL);
    errno = 0;
    fails(malloc(huge), ENOMEM);
    fails(calloc(huge, 2), ENOMEM);
    errno = ERANGE;
    free(malloc(hundred));
    assert(errno == ERANGE);
    aligned();
    grown();
    return 0;
}
