// A loop that lets go of one lock, takes it again and tries for another that nobody will give back
// never ends: a livelock, with the steps of a turn. A loop that gives up after some turns is none.
// run: -s dfs -- bare
// expect: finding livelock
// expect: findings[0].cycle == 3
// expect: output the last 3 steps repeat forever
// run: -s preempt -- bare
// expect: finding livelock
// expect: findings[0].cycle == 3
// run: -s random -n 5 -- bare
// expect: finding livelock
// run: -s dfs -- yield
// expect: finding livelock
// expect: findings[0].cycle == 4
// run: -s dfs -- sleep
// expect: finding livelock
// expect: findings[0].cycle == 4
// run: -s dfs -- exchange
// expect: finding livelock
// expect: findings[0].cycle == 3
// run: -s dfs --expect-exit 0 -- bounded
// expect: finding exit
// run: -s random -n 50 --expect-exit 0 -- bounded
// expect: finding exit
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER, taken = PTHREAD_MUTEX_INITIALIZER;
static atomic_int word = 1;
static const char *way;
static int gave_up;

static void *take(void *unused)
{
    pthread_mutex_lock(&taken);
    return unused;
}

static int try(void)
{
    int none = 0;
    return strcmp(way, "exchange") == 0 ? !atomic_compare_exchange_strong(&word, &none, 1)
                                        : pthread_mutex_trylock(&taken);
}

static void *back_off(void *unused)
{
    int turns = 0, bounded = strcmp(way, "bounded") == 0;
    pthread_mutex_lock(&mine);
    while (try() != 0) {
        pthread_mutex_unlock(&mine);
        if (strcmp(way, "yield") == 0)
            sched_yield();
        if (strcmp(way, "sleep") == 0)
            usleep(1);
        if (bounded && ++turns == 5) {
            gave_up = 1;
            return unused;
        }
        pthread_mutex_lock(&mine);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "";
    pthread_create(&thread, NULL, take, NULL);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, back_off, NULL);
    pthread_join(thread, NULL);
    return gave_up;
}
