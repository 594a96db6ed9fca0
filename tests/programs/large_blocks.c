// modes: all first
// expect: no finding
// expect: classes 6
// expect: peak_bytes < 400000000
// check: no
// run: -s dfs
// expect: executions 42
// run: -s dpor
// expect: executions 6
// run: -s preempt
// expect: executions 42
// run: -s dpor -j 2
// expect: executions 6
// Large blocks of which hardly anything is accessed: they are freed, grown and shrunk at the cost of what was
// accessed. Their shadow would take eight times their size.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define GIB (1ul << 30)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *increase(void *argument)
{
    char *volatile own = malloc(GIB / 2);
    own[GIB / 4] = 1;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    free(own);
    return NULL;
}

int main(void)
{
    char *volatile block = malloc(4 * GIB);
    block[0] = 1;
    block[4 * GIB - 1] = 2;
    block = realloc(block, 6 * GIB);
    assert(block[0] == 1 && block[4 * GIB - 1] == 2 && block[5 * GIB] == 0);
    block = realloc(block, 2 * GIB);
    free(block);
    char *volatile kept = calloc(2, GIB);
    kept[GIB] = 3;
    char *volatile mapped = mmap(NULL, 4 * GIB, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mapped[GIB] = 1;
    munmap(mapped, 4 * GIB);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, increase, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(kept[GIB] == 3 && count == 4);
    kept = realloc(kept, 3 * GIB);
    assert(kept[GIB] == 3);
    free(kept);
    return 0;
}
