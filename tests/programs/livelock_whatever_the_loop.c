// A loop that can never end is a livelock, whatever it is made of: polling a plain flag under a lock,
// updates that succeed and are taken back, semaphores, signals to nobody, threads that hand something to
// and fro. The steps of one time round are the cycle.
// modes: all first
// run: -s dfs -- mutex
// expect: finding livelock
// expect: findings[0].cycle == 2
// expect: output the last 2 steps repeat forever
// run: --no-shrink -s dfs -- recursive
// expect: finding livelock
// expect: findings[0].cycle == 4
// run: --no-shrink -s dfs -- yield
// expect: finding livelock
// expect: findings[0].cycle == 3
// run: --no-shrink -s dfs -- read
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs -- write
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs -- spin
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs -- semaphore
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs -- update
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs -- exchange
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs -- signal
// expect: finding livelock
// expect: findings[0].cycle == 3
// run: --no-shrink -s dfs -- toggle
// expect: finding livelock
// expect: findings[0].cycle == 4
// run: --no-shrink -s dfs -- pass
// expect: finding livelock
// expect: findings[0].cycle == 4
// run: --no-shrink -s preempt -- mutex two
// expect: finding livelock
// run: --no-shrink -s delay -- mutex two
// expect: finding livelock
// run: --no-shrink -s random -n 3 -- mutex two
// expect: finding livelock
// run: --no-shrink -s pct -n 3 -- read two
// expect: finding livelock
// run: --no-shrink -s pos -n 3 -- spin two
// expect: finding livelock
// run: --no-shrink -s surw -n 3 -- semaphore two
// expect: finding livelock
// run: --no-shrink -s rf -n 3 -- mutex two
// expect: finding livelock
// run: --no-shrink -s rare -n 3 -- yield two
// expect: finding livelock
// run: --no-shrink -s dpor -- mutex two
// expect: finding livelock
// run: --no-shrink -s auto -t 30m -- mutex two
// expect: finding livelock
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, again;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore, mine, yours;
static atomic_int word;
static int stop, side;
static const char *way;

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static int look_locked(void)
{
    pthread_mutex_lock(&mutex);
    int seen = stop;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static int look_again(void)
{
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    int seen = stop;
    pthread_mutex_unlock(&again);
    pthread_mutex_unlock(&again);
    return seen;
}

static int look_between(int (*take)(pthread_rwlock_t *))
{
    take(&lock);
    int seen = stop;
    pthread_rwlock_unlock(&lock);
    return seen;
}

static int look_spinning(void)
{
    pthread_spin_lock(&spin);
    int seen = stop;
    pthread_spin_unlock(&spin);
    return seen;
}

static int look_counted(void)
{
    sem_wait(&semaphore);
    int seen = stop;
    sem_post(&semaphore);
    return seen;
}

static int look_updating(void)
{
    atomic_fetch_add(&word, 1);
    int seen = stop;
    atomic_fetch_sub(&word, 1);
    return seen;
}

static int look_exchanging(void)
{
    return atomic_exchange(&word, 1) == 7 || atomic_exchange(&word, 0) == 7;
}

static int look_toggling(void)
{
    pthread_mutex_lock(&mutex);
    side = !side;
    int seen = stop;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static int pass(int first)
{
    sem_wait(first ? &mine : &yours);
    int seen = stop;
    sem_post(first ? &yours : &mine);
    return seen;
}

static int look(int first)
{
    if (is("yield"))
        sched_yield();
    if (is("signal"))
        pthread_cond_signal(&cond);
    return is("recursive")   ? look_again()
           : is("read")      ? look_between(pthread_rwlock_rdlock)
           : is("write")     ? look_between(pthread_rwlock_wrlock)
           : is("spin")      ? look_spinning()
           : is("semaphore") ? look_counted()
           : is("update")    ? look_updating()
           : is("exchange")  ? look_exchanging()
           : is("toggle")    ? look_toggling()
           : is("pass")      ? pass(first)
                             : look_locked();
}

static void *go_round(void *first)
{
    while (!look(first != NULL))
        ;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    pthread_mutexattr_t recursive;
    way = argc > 1 ? argv[1] : "mutex";
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &recursive);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&semaphore, 0, 1);
    sem_init(&mine, 0, 1);
    sem_init(&yours, 0, 0);
    int two = argc > 2 || is("pass");
    for (int i = 0; i <= two; i++)
        pthread_create(&threads[i], NULL, go_round, i == 0 ? threads : NULL);
    for (int i = 0; i <= two; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
