// Spin locks count as mutexes do: 10 executions of 2 classes; trylock of a held one is EBUSY.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 10
// expect: classes 2
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock, own;
static int total;

static void *work(void *unused)
{
    assert(pthread_spin_lock(&lock) == 0);
    total++;
    assert(pthread_spin_unlock(&lock) == 0);
    return unused;
}

int main(void)
{
    assert(pthread_spin_init(&own, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_spin_trylock(&own) == 0);
    assert(pthread_spin_trylock(&own) == EBUSY);
    assert(pthread_spin_unlock(&own) == 0);
    assert(pthread_spin_lock(&own) == 0);
    assert(pthread_spin_unlock(&own) == 0);
    assert(pthread_spin_destroy(&own) == 0);

    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_SHARED) == 0);
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(total == 2);
    return 0;
}
