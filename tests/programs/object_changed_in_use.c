// A synchronisation object is initialised, cleared, assigned or destroyed by main while a thread may use it: a
// race, and the order in which main comes in the middle of the use is explored, with whatever follows
// from it. Initialised before the thread starts and destroyed after it was joined, it is none.
// run: -k -- mutex init
// expect: finding misuse
// expect: finding race
// run: -k -s dpor -- mutex clear
// expect: finding misuse
// expect: finding race
// run: -k -s bpor -- mutex assign
// expect: finding misuse
// expect: finding race
// run: -k -s dfs -- mutex destroy
// expect: finding misuse
// expect: finding race
// run: -k -s dpor -- rwlock init
// expect: finding misuse
// expect: finding race
// run: -k -s preempt -- rwlock clear
// expect: finding misuse
// expect: finding race
// run: -k -s dpor -- rwlock destroy
// expect: finding misuse
// expect: finding race
// run: -k -s dpor -- spin init
// expect: finding misuse
// expect: finding race
// run: -k -s delay -- spin destroy
// expect: finding misuse
// expect: finding race
// run: -k -s dpor -- sem init
// expect: finding deadlock
// expect: finding misuse
// expect: finding race
// run: -k -s stateful -- sem init
// expect: finding deadlock
// expect: finding misuse
// expect: finding race
// run: -k -s best -- sem clear
// expect: finding deadlock
// expect: finding misuse
// expect: finding race
// run: -k -s dpor -- sem destroy
// expect: finding misuse
// expect: finding race
// run: -k -s dpor -- cond init
// expect: finding race
// run: -k -s dpor -- cond destroy
// expect: finding misuse
// expect: finding race
// run: -k -s dpor -- barrier init
// expect: finding deadlock
// expect: finding misuse
// expect: finding race
// run: -k -s dpor -- once assign
// expect: finding assertion
// expect: finding race
// run: -k -s dfs -- mutex rightly
// expect: no finding
// run: -k -s dpor -- rwlock rightly
// expect: no finding
// run: -k -s dpor -- spin rightly
// expect: no finding
// run: -k -s dpor -- sem rightly
// expect: no finding
// run: -k -s dpor -- cond rightly
// expect: no finding
// run: -k -s dpor -- barrier rightly
// expect: no finding
// run: -k -s dpor -- once rightly
// expect: no finding
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static struct {
    long before;
    pthread_mutex_t mutex;
    pthread_cond_t cond;
    pthread_rwlock_t rwlock;
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    sem_t sem;
    pthread_once_t once;
    long after;
} all;
static int runs;
static const char *kind, *act;

static int is(const char *name)
{
    return strcmp(kind, name) == 0;
}

static void run_once(void)
{
    runs++;
}

static void use(void)
{
    if (is("mutex")) {
        pthread_mutex_lock(&all.mutex);
        pthread_mutex_unlock(&all.mutex);
    } else if (is("rwlock")) {
        pthread_rwlock_wrlock(&all.rwlock);
        pthread_rwlock_unlock(&all.rwlock);
    } else if (is("spin")) {
        pthread_spin_lock(&all.spin);
        pthread_spin_unlock(&all.spin);
    } else if (is("sem")) {
        sem_post(&all.sem);
    } else if (is("cond")) {
        pthread_cond_signal(&all.cond);
    } else if (is("barrier")) {
        pthread_barrier_wait(&all.barrier);
    } else {
        pthread_once(&all.once, run_once);
    }
}

static void initialise(void)
{
    pthread_once_t fresh = PTHREAD_ONCE_INIT;
    if (is("mutex"))
        pthread_mutex_init(&all.mutex, NULL);
    else if (is("rwlock"))
        pthread_rwlock_init(&all.rwlock, NULL);
    else if (is("spin"))
        pthread_spin_init(&all.spin, 0);
    else if (is("sem"))
        sem_init(&all.sem, 0, 0);
    else if (is("cond"))
        pthread_cond_init(&all.cond, NULL);
    else if (is("barrier"))
        pthread_barrier_init(&all.barrier, NULL, 2);
    else
        all.once = fresh;
}

static void destroy(void)
{
    if (is("mutex"))
        pthread_mutex_destroy(&all.mutex);
    else if (is("rwlock"))
        pthread_rwlock_destroy(&all.rwlock);
    else if (is("spin"))
        pthread_spin_destroy(&all.spin);
    else if (is("sem"))
        sem_destroy(&all.sem);
    else if (is("cond"))
        pthread_cond_destroy(&all.cond);
    else if (is("barrier"))
        pthread_barrier_destroy(&all.barrier);
}

static void change(void)
{
    pthread_mutex_t fresh_mutex = PTHREAD_MUTEX_INITIALIZER;
    if (strcmp(act, "init") == 0)
        initialise();
    else if (strcmp(act, "clear") == 0)
        memset(&all, 0, sizeof all);
    else if (strcmp(act, "destroy") == 0)
        destroy();
    else if (is("mutex"))
        all.mutex = fresh_mutex;
    else
        initialise();
}

static void *work(void *argument)
{
    use();
    return argument;
}

int main(int count, char **words)
{
    pthread_t thread;
    kind = words[1], act = words[2];
    int rightly = strcmp(act, "rightly") == 0;
    if (strcmp(act, "init") != 0)
        initialise();
    pthread_create(&thread, NULL, work, NULL);
    if (!rightly)
        change();
    if (is("sem") && strcmp(act, "destroy") != 0)
        sem_wait(&all.sem);
    else if (is("barrier") || is("once"))
        use();
    pthread_join(thread, NULL);
    assert(!is("once") || runs == 1);
    if (rightly)
        destroy();
    return 0;
}
