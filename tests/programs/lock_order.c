// Locks in opposite orders: the first execution shows that, a deadlock is searched for and reported.
// Orders that cannot end in a deadlock are no finding: gates, one thread, threads that never run at one time, try-lock.
// build: gcc -O1
// build: clang -O1
// build: none -O1
// run: -s random -n 1
// expect: finding deadlock
// expect: output T1 waits: lock
// expect: output T2 waits: lock
// run: -s dfs
// expect: finding deadlock
// run: -s random -n 1 -- three
// expect: finding deadlock
// expect: output T3 waits: lock
// run: -s random -n 1 --detect -lock-order
// expect: no finding
// run: -s random -n 20 -- gate
// expect: no finding
// run: -s random -n 20 -- one-thread
// expect: no finding
// run: -s random -n 20 -- in-turn
// expect: no finding
// run: -s random -n 20 -- before
// expect: no finding
// run: -s random -n 20 -- try
// expect: no finding
// run: -s random -n 20 -- same-order
// expect: no finding
// run: -s dfs -- flag
// expect: no finding
// run: -s random -n 1 -- flag
// expect: finding lock-order
// expect: exit 0
// expect: output locks are taken in opposite orders
// expect: output also involved: T
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t turn;
static const char *way = "";

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void take_both(int first, int second)
{
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[second]);
    pthread_mutex_unlock(&locks[second]);
    pthread_mutex_unlock(&locks[first]);
}

static void *forwards(void *unused)
{
    if (is("gate"))
        pthread_mutex_lock(&gate);
    take_both(0, 1);
    if (is("gate"))
        pthread_mutex_unlock(&gate);
    if (is("one-thread"))
        take_both(1, 0);
    if (is("flag"))
        sem_post(&turn);
    return unused;
}

static void *backwards(void *unused)
{
    if (is("flag"))
        sem_wait(&turn);
    if (is("gate"))
        pthread_mutex_lock(&gate);
    if (is("try")) {
        pthread_mutex_lock(&locks[1]);
        if (pthread_mutex_trylock(&locks[0]) == 0)
            pthread_mutex_unlock(&locks[0]);
        pthread_mutex_unlock(&locks[1]);
    } else if (is("three")) {
        take_both(1, 2);
    } else if (is("same-order")) {
        take_both(0, 1);
    } else if (!is("one-thread")) {
        take_both(1, 0);
    }
    if (is("gate"))
        pthread_mutex_unlock(&gate);
    return unused;
}

static void *third(void *unused)
{
    take_both(2, 0);
    return unused;
}

int main(int count, char **arguments)
{
    way = count > 1 ? arguments[1] : "";
    pthread_t threads[3];
    int many = is("three") ? 3 : 2;
    sem_init(&turn, 0, 0);
    if (is("before")) { /* nobody else is there yet */
        take_both(0, 1);
        pthread_create(&threads[1], NULL, backwards, NULL);
        pthread_join(threads[1], NULL);
        take_both(0, 1);
        return 0;
    }
    void *(*const work[])(void *) = {forwards, backwards, third};
    for (int i = 0; i < many; i++) {
        pthread_create(&threads[i], NULL, work[i], NULL);
        if (is("in-turn"))
            pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < many && !is("in-turn"); i++)
        pthread_join(threads[i], NULL);
    return 0;
}
