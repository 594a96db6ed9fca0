// A thread that has to wait inside of an atomic section lets the others run, then goes on with it. The
// worker may take the lock first or find it held; both end, and nobody comes between its two additions.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions > 1
#include <bohr.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counter;

static void *work(void *unused)
{
    bohr_atomic_begin();
    pthread_mutex_lock(&mutex);
    int first = atomic_fetch_add(&counter, 1);
    bohr_assert(atomic_fetch_add(&counter, 1) == first + 1);
    pthread_mutex_unlock(&mutex);
    bohr_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    atomic_fetch_add(&counter, 1);
    pthread_mutex_unlock(&mutex);
    atomic_fetch_add(&counter, 1);
    pthread_join(thread, NULL);
    return 0;
}
