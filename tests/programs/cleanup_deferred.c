// Cleanup handlers that make cancellation deferred while they are there, and destructors of a
// thread's objects; a thread that is asked to end while it waits runs the first before the second.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s random -n 50
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

extern int __cxa_thread_atexit_impl(void (*run)(void *), void *object, void *module);
extern void *__dso_handle;

static sem_t never;
static int trail, one = 1, two = 2, three = 3;

static void note(void *digit)
{
    trail = trail * 10 + *(int *)digit;
}

static void *wait_for_ever(void *unused)
{
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    assert(__cxa_thread_atexit_impl(note, &three, &__dso_handle) == 0);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL) == 0);
    pthread_cleanup_push_defer_np(note, &two);
    pthread_cleanup_push_defer_np(note, &one);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    sem_wait(&never);
    pthread_cleanup_pop_restore_np(0);
    pthread_cleanup_pop_restore_np(0);
    return unused;
}

static void *come_back(void *unused)
{
    int old;
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL) == 0);
    pthread_cleanup_push_defer_np(note, &two);
    pthread_cleanup_push_defer_np(note, &one);
    pthread_cleanup_pop_restore_np(0);
    pthread_cleanup_pop_restore_np(1);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
    assert(old == PTHREAD_CANCEL_ASYNCHRONOUS);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    assert(sem_init(&never, 0, 0) == 0);
    assert(pthread_create(&thread, NULL, wait_for_ever, NULL) == 0);
    assert(pthread_cancel(thread) == 0);
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    assert(trail == 123 || trail == 0); /* on libc it may be cancelled before it has begun */
    trail = 0;
    assert(pthread_create(&thread, NULL, come_back, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(trail == 2);
    return 0;
}
