// Uses that look like a misuse and are none: objects that are made again after their end, on the same stack
// by a static initialiser, or as a copy; never destroyed by a function that returned; errors that
// POSIX defines; a barrier and a condition variable destroyed by the first thread that may; threads that run
// when main returns.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs -- stack
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static pthread_rwlock_t lock;
static pthread_barrier_t barrier;
static sem_t semaphore;
static struct both {
    pthread_mutex_t mutex;
    pthread_cond_t cond;
} original, copy;

static void make_all(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&cond, NULL);
    pthread_rwlock_init(&lock, NULL);
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&semaphore, 0, 0);
}

static void end_all(void)
{
    pthread_mutex_destroy(&mutex);
    pthread_cond_destroy(&cond);
    pthread_rwlock_destroy(&lock);
    pthread_barrier_destroy(&barrier);
    sem_destroy(&semaphore);
}

/* Called in turn they use the same stack. */
static __attribute__((noinline)) void by_call(int end)
{
    struct both own;
    pthread_mutex_init(&own.mutex, NULL);
    pthread_cond_init(&own.cond, NULL);
    pthread_mutex_lock(&own.mutex);
    pthread_cond_signal(&own.cond);
    pthread_mutex_unlock(&own.mutex);
    if (!end)
        return;
    pthread_mutex_destroy(&own.mutex);
    pthread_cond_destroy(&own.cond);
}

static __attribute__((noinline)) void by_initialiser(void)
{
    struct both own = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
    pthread_mutex_lock(&own.mutex);
    pthread_cond_signal(&own.cond);
    pthread_mutex_unlock(&own.mutex);
    pthread_mutex_destroy(&own.mutex);
    pthread_cond_destroy(&own.cond);
}

static void use_copies(void)
{
    pthread_mutex_init(&original.mutex, NULL);
    pthread_cond_init(&original.cond, NULL);
    copy = original;
    pthread_mutex_init(&copy.mutex, NULL);
    pthread_cond_init(&copy.cond, NULL);
    pthread_mutex_destroy(&copy.mutex);
    pthread_cond_destroy(&copy.cond);
    copy = (struct both){PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
    pthread_mutex_lock(&copy.mutex);
    pthread_cond_signal(&copy.cond);
    pthread_mutex_unlock(&copy.mutex);
}

static void get_errors(void)
{
    pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    assert(pthread_mutex_unlock(&checked) == EPERM);
    assert(pthread_cond_wait(&never, &checked) == EPERM);
    assert(pthread_mutex_lock(&checked) == 0);
    assert(pthread_mutex_lock(&checked) == EDEADLK);
    assert(pthread_mutex_trylock(&checked) == EBUSY);
    assert(pthread_mutex_unlock(&checked) == 0);
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
}

static void *meet(void *unused)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        pthread_barrier_destroy(&barrier);
    return unused;
}

static int ready;

static void *wait_ready(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *last(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    if (count > 1) {
        by_call(1);
        by_initialiser();
        by_call(0);
        by_call(0);
        by_call(1);
        get_errors();
        return 0;
    }
    make_all();
    end_all();
    make_all();
    use_copies();

    pthread_create(&thread, NULL, meet, NULL);
    meet(NULL);
    pthread_join(thread, NULL);

    pthread_create(&thread, NULL, wait_ready, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&cond); /* a woken thread does not look at it again */
    pthread_join(thread, NULL);

    pthread_create(&thread, NULL, last, NULL);
    return 0;
}
