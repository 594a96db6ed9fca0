// Two waiters, one of them timed, and one signal: the signal may go to either, or the timeout may
// come first. If the timed one takes the signal the other sleeps forever: a lost wake-up that only
// timeouts show.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -k
// expect: finding deadlock
// expect: complete == true
// run: -s random -n 300
// expect: finding deadlock
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *take(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (items == 0)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *look(void *unused)
{
    struct timespec later = {.tv_sec = time(NULL) + 1};
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&changed, &mutex, &later);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t taker, looker;
    pthread_create(&taker, NULL, take, NULL);
    pthread_create(&looker, NULL, look, NULL);
    pthread_mutex_lock(&mutex);
    items = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(taker, NULL);
    pthread_join(looker, NULL);
    return 0;
}
