// A free of what is no block, or a broken one, is a finding each time, and the next execution is right:
// all of them show it.
// modes: all preload
// run: -s dfs -k
// expect: finding invalid-free
// expect: executions == 2
// expect: buggy == 0
// expect: findings[0].always == true
// expect: output not the start of a heap block
// run: -s dfs -k -- inside
// expect: finding invalid-free
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- static
// expect: finding invalid-free
// expect: buggy == 0
// expect: findings[0].always == true
// expect: output it is not memory of the heap
// run: -s dfs -k -- stack
// expect: finding invalid-free
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- wild
// expect: finding invalid-free
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- null-and-a-half
// expect: finding invalid-free
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- realloc-inside
// expect: finding invalid-free
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- twice
// expect: finding double-free
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- realloc-freed
// expect: finding double-free
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- twice-by-realloc
// expect: finding double-free
// expect: buggy == 0
// expect: findings[0].always == true
// run: -s dfs -k -- none
// expect: no finding
// expect: executions == 2
// run: -s dfs -k --detect -heap -- twice
// expect: no finding
// run: -s dfs -k --detect -heap
// expect: no finding
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char statics[64];
static volatile uintptr_t at; /* hides from compilers what is freed */

static void wrong(void *block)
{
    at = (uintptr_t)block;
    free((void *)at);
}

static void *again(void *block, size_t size)
{
    at = (uintptr_t)block;
    return realloc((void *)at, size);
}

static void *lock(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "";
    char local[64], *block = malloc(100);
    pthread_t thread;
    pthread_create(&thread, NULL, lock, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    if (strcmp(way, "") == 0)
        wrong(block + 32);
    else if (strcmp(way, "inside") == 0)
        wrong(block + 1);
    else if (strcmp(way, "static") == 0)
        wrong(statics + 16);
    else if (strcmp(way, "stack") == 0)
        wrong(local);
    else if (strcmp(way, "wild") == 0)
        wrong((void *)0x123456789000);
    else if (strcmp(way, "null-and-a-half") == 0)
        wrong((void *)8);
    else if (strcmp(way, "realloc-inside") == 0)
        again(block + 64, 200);
    if (strcmp(way, "none") != 0)
        wrong(block);
    if (strcmp(way, "twice") == 0)
        wrong(block);
    else if (strcmp(way, "realloc-freed") == 0)
        again(block, 200);
    else if (strcmp(way, "twice-by-realloc") == 0)
        again(block, 0);
    return 0;
}
