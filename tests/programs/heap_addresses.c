// Addresses of heap blocks depend on the allocating thread's own history only, so a program that
// looks at them behaves the same in equal executions, whatever the isolation.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void *work(void *unused)
{
    char *block = malloc(24);
    int extra = (uintptr_t)block / 32 % 3;
    for (int i = 0; i <= extra; i++) {
        pthread_mutex_lock(&mutex);
        turns++;
        pthread_mutex_unlock(&mutex);
    }
    free(block);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(turns >= 2);
    return 0;
}
