// Two readers do not exclude each other: their two steps each interleave freely, 19 executions with
// main's creates and joins (two writers have 10, see rwlock_writers_alone.c), all of one class.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 19
// expect: classes 1
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *read_it(void *unused)
{
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, read_it, NULL);
    pthread_create(&second, NULL, read_it, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
