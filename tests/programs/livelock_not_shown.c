// Loops that never end, of which that cannot be shown, are cut at the limit of steps: a warning says what repeats, and
// that it may be a livelock. There is none where a loop gets on, or a thread is left out, or ends.
// modes: all first
// expect: exit 0
// run: -s dfs --steps 2000 -- date
// expect: exit 2
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: findings[0].cycle == 3
// expect: findings[0].steps >= 1750
// expect: findings[0].execution == 1
// expect: findings[0].count == 1
// expect: output perhaps a livelock: not over after
// expect: output steps, and the last 3 come again and again: T1 at lines
// expect: output nothing shows that it never ends (if it should end, raise --steps)
// expect: output T0 waits: join T1
// expect: claim.kind == nothing
// run: -s random -n 20 --steps 2000 -- both
// expect: exit 2
// expect: finding livelock
// expect: findings[0].cycle == null
// expect: findings[0].severity == warning
// expect: output not over after 2000 steps, and the same ones come again and again: T1 and T2 at lines
// run: -s pct -n 20 --steps 2000 -- both
// expect: exit 2
// expect: finding livelock
// expect: findings[0].severity == warning
// run: -s dfs --steps 1200 -- process
// expect: exit 2
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: findings[0].cycle == 2
// run: -s dfs --steps 2000 -- blocks
// expect: exit 2
// expect: finding livelock
// expect: findings[0].severity == warning
// run: -s dfs --steps 2000 -- array
// expect: exit 2
// expect: no finding
// expect: cut == 1
// run: -s dfs --steps 20000 -- array
// expect: no finding
// expect: complete == true
// run: -s dfs -n 3 --steps 2000 -- unfair
// expect: no finding
// expect: cut >= 1
// run: -s dfs --steps 2000 -- turns
// expect: exit 2
// expect: finding livelock
// expect: findings[0].severity == warning
// run: -s dfs --steps 20000 -- turns
// expect: no finding
// expect: complete == true
// run: -s dfs --steps 900 -- date
// expect: exit 2
// expect: no finding
// expect: cut == 1
// run: -s dfs --steps 2000 --detect -livelock -- date
// expect: exit 2
// expect: no finding
// expect: cut == 1
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PLACES = 6000, TURNS = 3000, DATE = 2100000000 };

static const char *way;
static atomic_int places[PLACES], stop;
static atomic_long seen[2];

/* Up to a date that it may come to; or one that another thread has seen. */
static void *look(void *number)
{
    long me = (long)number;
    struct timespec now, pause = {.tv_nsec = 1000};
    do {
        clock_gettime(CLOCK_REALTIME, &now);
        atomic_store(&seen[me], now.tv_sec);
        nanosleep(&pause, NULL);
    } while (atomic_load(&seen[strcmp(way, "both") == 0 ? 1 - me : me]) != DATE);
    return NULL;
}

static void start_processes(void)
{
    for (;;) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        if (waitpid(child, NULL, 0) != child)
            abort();
    }
}

/* Each turn has a block of its own, and counts. */
static void use_blocks(void)
{
    for (;;) {
        atomic_int *block = malloc(sizeof *block);
        atomic_store(block, 1);
        atomic_fetch_add(&places[0], atomic_load(block));
        free(block);
    }
}

static void *count(void *unused)
{
    while (!atomic_load(&stop))
        atomic_fetch_add(&places[0], 1);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    way = argc > 1 ? argv[1] : "date";
    if (strcmp(way, "process") == 0)
        start_processes();
    if (strcmp(way, "blocks") == 0)
        use_blocks();
    for (int i = 0; strcmp(way, "array") == 0 && i < PLACES; i++)
        atomic_store(&places[i], i);
    for (int i = 0; strcmp(way, "turns") == 0 && i < TURNS; i++)
        atomic_fetch_add(&places[0], i);
    if (strcmp(way, "unfair") == 0) {
        pthread_create(&threads[0], NULL, count, NULL);
        atomic_store(&stop, 1);
        pthread_join(threads[0], NULL);
    }
    int looking = strcmp(way, "date") == 0 ? 1 : strcmp(way, "both") == 0 ? 2 : 0;
    for (long i = 0; i < looking; i++)
        pthread_create(&threads[i], NULL, look, (void *)i);
    for (int i = 0; i < looking; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
