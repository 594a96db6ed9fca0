// pthread_once runs its function once; a thread that comes meanwhile waits until it has ended and sees what
// it wrote. A function that is cancelled has not run: the next caller runs it. Values are the same
// as with libc.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s random -n 50
// expect: no finding
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_once_t first = PTHREAD_ONCE_INIT, second = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;
static int calls, attempts, ended;

static void count(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    calls++;
}

static void *race_for_it(void *unused)
{
    assert(pthread_once(&first, count) == 0);
    assert(calls == 1);
    return unused;
}

static void first_attempt_waits(void)
{
    if (++attempts == 1)
        sem_wait(&never);
    ended++;
}

static void *try_in_vain(void *unused)
{
    pthread_once(&second, first_attempt_waits);
    assert(!"it was cancelled");
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&threads[i], NULL, race_for_it, NULL) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(threads[i], NULL) == 0);
    assert(pthread_once(&first, count) == 0 && calls == 1);

    void *result;
    assert(sem_init(&never, 0, 0) == 0);
    assert(pthread_create(&threads[0], NULL, try_in_vain, NULL) == 0);
    assert(pthread_cancel(threads[0]) == 0);
    assert(pthread_join(threads[0], &result) == 0 && result == PTHREAD_CANCELED);
    attempts = 1; /* the kernel may cancel a thread before it has begun */
    assert(pthread_once(&second, first_attempt_waits) == 0);
    assert(attempts == 2 && ended == 1);
    return 0;
}
