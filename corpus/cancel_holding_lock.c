// A worker that waits for work can be cancelled. Cancellation takes the mutex again before it ends
// the thread, and without a cleanup handler nobody ever gives it back.
// group: idioms
// threads: 2
// finds: deadlock
// lines: 38 53
// pb: 1
// db: 1
// options: --exit wait
// variants: cancel_holding_lock
// variants: cancel_holding_lock_fixed -DFIXED
// finds cancel_holding_lock_fixed: nothing
// pb cancel_holding_lock_fixed: -
// db cancel_holding_lock_fixed: -
// twin: cancel_holding_lock_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int jobs;

#ifdef FIXED
static void unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}
#endif

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    pthread_cleanup_push(unlock, &lock);
#endif
    while (jobs == 0)
        pthread_cond_wait(&arrived, &lock);
    jobs--;
#ifdef FIXED
    pthread_cleanup_pop(1);
#else
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_cancel(worker);
    pthread_mutex_lock(&lock);
    int left = jobs;
    pthread_mutex_unlock(&lock);
    pthread_join(worker, NULL);
    assert(left == 0);
    return 0;
}
