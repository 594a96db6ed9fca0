// Loops that write while they wait: each turn changes an atomic and looks at another that nobody changes.
// Heartbeats never end: a livelock, with the steps of a cycle; two turns of 3 steps, in each thread. Where somebody ends them, or a counter does, or
// another order of the same steps would, there is none; a counter that is too large is a step limit.
// run: -s preempt -- beat
// expect: finding livelock
// expect: findings[0].cycle >= 12
// expect: output steps repeat forever
// run: -s dfs -n 20 -- beat
// expect: finding livelock
// run: -s random -n 3 -- beat
// expect: finding livelock
// run: -s preempt -- alone
// expect: finding livelock
// expect: findings[0].cycle == 6
// run: -s preempt --isolate fork --carrier kernel -- alone
// expect: finding livelock
// run: -s preempt -b 0 -- ended
// expect: no finding
// run: -s random -n 20 -- ended
// expect: no finding
// run: -s preempt -b 0 -- counted
// expect: no finding
// expect: complete == true
// run: -s random -n 20 -- polite
// expect: no finding
// run: -s preempt -b 0 -n 100 --steps 3000 -- large
// expect: exit 2
// expect: no finding
// expect: cut >= 1
// expect: claim.kind == nothing
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int stop, beats[2], turns, wants[2];
static const char *way;

static void *beat(void *argument)
{
    atomic_int *mine = argument;
    while (!atomic_load(&stop))
        atomic_store(mine, !atomic_load(mine));
    return NULL;
}

static void *count(void *argument)
{
    int most = strcmp(way, "large") == 0 ? 1000000 : 2000;
    while (atomic_load(&turns) < most)
        atomic_fetch_add(&turns, 1);
    return argument;
}

/* Each lets the other one go first: it may go on like that for long, but it need not. */
static void *be_polite(void *argument)
{
    int me = argument != &wants[0];
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[!me])) {
        atomic_store(&wants[me], 0);
        atomic_store(&wants[me], 1);
    }
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    way = argc > 1 ? argv[1] : "beat";
    int two = strcmp(way, "alone") != 0 && strcmp(way, "counted") != 0;
    int counts = strcmp(way, "counted") == 0 || strcmp(way, "large") == 0;
    void *(*work)(void *) = counts ? count : strcmp(way, "polite") == 0 ? be_polite : beat;
    atomic_int *words = work == be_polite ? wants : beats;
    for (int i = 0; i <= two; i++)
        pthread_create(&threads[i], NULL, work, &words[i]);
    if (strcmp(way, "ended") == 0)
        atomic_store(&stop, 1);
    for (int i = 0; i <= two; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
