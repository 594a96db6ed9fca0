// Twenty threads, one after the other, each with memory of its own: as many as there are at the
// start are not enough, on either carrier.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// expect: threads 21
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    char *memory = malloc(5000);
    assert(memory != NULL);
    memset(memory, 7, 5000);
    assert(memory[4999] == 7);
    free(memory);
    return unused;
}

int main(void)
{
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        assert(pthread_create(&thread, NULL, work, NULL) == 0);
        assert(pthread_join(thread, NULL) == 0);
    }
    return 0;
}
