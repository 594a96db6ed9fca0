// An attribute object is read where an object is initialised with it: that races with a change that nothing orders
// with it. The same for memory that bzero clears, which the compiler could write out itself.
//
// expect: finding race
// expect: exit 1
// run: -s dfs -k -- mutex
// run: -s dpor -k -- cond
// run: -s dpor -k -- rwlock
// run: -s dpor -k -- barrier
// run: -s dpor -k -- bzero
// build: gcc -O0
// build: gcc -O2
// build: clang -O2
#include <pthread.h>
#include <string.h>
#include <strings.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond;
static pthread_rwlock_t rwlock;
static pthread_barrier_t barrier;
static pthread_mutexattr_t of_mutex;
static pthread_condattr_t of_cond;
static pthread_rwlockattr_t of_rwlock;
static pthread_barrierattr_t of_barrier;
static long cleared[5];
static const char *what;

static void *initialise(void *unused)
{
    if (strcmp(what, "mutex") == 0)
        pthread_mutex_init(&mutex, &of_mutex);
    else if (strcmp(what, "cond") == 0)
        pthread_cond_init(&cond, &of_cond);
    else if (strcmp(what, "rwlock") == 0)
        pthread_rwlock_init(&rwlock, &of_rwlock);
    else if (strcmp(what, "barrier") == 0)
        pthread_barrier_init(&barrier, &of_barrier, 1);
    else
        bzero(cleared, sizeof cleared);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    what = count > 1 ? arguments[1] : "mutex";
    pthread_mutexattr_init(&of_mutex);
    pthread_condattr_init(&of_cond);
    pthread_rwlockattr_init(&of_rwlock);
    pthread_barrierattr_init(&of_barrier);
    pthread_create(&thread, NULL, initialise, NULL);
    pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_RECURSIVE);
    pthread_condattr_setpshared(&of_cond, PTHREAD_PROCESS_PRIVATE);
    pthread_rwlockattr_setpshared(&of_rwlock, PTHREAD_PROCESS_PRIVATE);
    pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_PRIVATE);
    long last = cleared[4];
    pthread_join(thread, NULL);
    return last != 0;
}
