// Loops that give way and can never end are livelocks, not a step limit: with a flag that is read
// atomically at once, with a plain flag that nobody writes after the longest execution. A loop that
// does change something, or that ends, is none.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -- atomic
// expect: finding livelock
// run: -s dfs -- plain
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: -s preempt -- plain
// expect: finding livelock
// run: -s random -n 3 -- plain
// expect: finding livelock
// run: -s dfs -- trylock
// expect: finding livelock
// run: -s dfs -n 1 -- counts
// expect: exit 2
// expect: cut == 1
// run: -s dfs -n 1 --steps 500 -- plain
// expect: exit 2
// expect: cut == 1
// run: -s dfs -n 1 -- long
// expect: no finding
// expect: cut == 0
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_int ready;
static int plain;
static unsigned long counter, limit;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *wait_atomic(void *unused)
{
    while (!atomic_load(&ready))
        sched_yield();
    return unused;
}

static void *wait_plain(void *unused)
{
    while (!plain)
        sched_yield();
    return unused;
}

static void *wait_lock(void *unused)
{
    while (pthread_mutex_trylock(&mutex) != 0)
        sched_yield();
    return unused;
}

static void *count(void *unused)
{
    while (counter++ < limit)
        sched_yield();
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    const char *what = argc > 1 ? argv[1] : "";
    void *(*body)(void *) = strcmp(what, "atomic") == 0    ? wait_atomic
                            : strcmp(what, "plain") == 0   ? wait_plain
                            : strcmp(what, "trylock") == 0 ? wait_lock
                                                           : count;
    int many = body == count ? 1 : 2;
    limit = strcmp(what, "long") == 0 ? 15000 : 1000000;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < many; i++)
        pthread_create(&threads[i], NULL, body, NULL);
    for (int i = 0; i < many; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
