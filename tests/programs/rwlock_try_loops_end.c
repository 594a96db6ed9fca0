// Loops around try-locks wait for the lock: they end under every strategy.
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s preempt -b 1
// expect: no finding
// run: -s random -n 200
// expect: no finding
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *write_it(void *unused)
{
    while (pthread_rwlock_trywrlock(&lock) != 0)
        ;
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *read_it(void *unused)
{
    while (pthread_rwlock_tryrdlock(&lock) != 0)
        ;
    assert(value >= 0);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t writer, reader;
    pthread_create(&writer, NULL, write_it, NULL);
    pthread_create(&reader, NULL, read_it, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    return 0;
}
