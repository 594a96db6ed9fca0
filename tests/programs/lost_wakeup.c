// The flag is looked at outside the lock: the signal can come before the wait and is lost.
// build: gcc -O1
// build: clang -O1
// run: -s preempt
// expect: finding deadlock
// expect: output cause: perhaps a lost wake-up
// expect: output changed
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *wait_for_it(void *unused)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    atomic_store(&ready, 1);
    pthread_cond_signal(&changed);
    pthread_join(thread, NULL);
    return 0;
}
