// Loops that map and unmap memory in each iteration, and never end, may be livelocks: what is mapped is not compared. Loops in memory that take hundreds of steps to come round are livelocks. Those that end are none: by a
// number that is handed from one mapping to the next, by how many there are, by a file that is mapped, by the number of a
// timer, or by a counter that is just not back yet.
// modes: all first
// run: -s dfs --steps 2000 -- all
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: --no-shrink -s dfs -- ring
// expect: finding livelock
// expect: findings[0].cycle == 1400
// run: --no-shrink -s dfs --isolate fork --carrier kernel -- ring
// expect: finding livelock
// run: --no-shrink -s random -n 2 -- orders
// expect: finding livelock
// run: -s dfs -- handed
// expect: no finding
// expect: complete == true
// run: -s dfs --isolate fork -- handed
// expect: no finding
// run: -s dfs -- grows
// expect: no finding
// run: -s dfs -- shared
// expect: no finding
// expect: complete == true
// run: -s dfs -- timers
// expect: no finding
// expect: complete == true
// run: -s dfs -- counted
// expect: no finding
// expect: complete == true
// run: -s random -n 3 -- order
// expect: no finding
// expect: cut == 0
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 1200, MAPPINGS = 200, TIMERS = 200, RING = 700, SIDES = 5, PAGE = 4096 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *way;
static int stop, place, file;
static long *kept;
static atomic_int places[2];

static void must(int right)
{
    if (!right)
        abort();
}

static int is(const char *name)
{
    return strcmp(way, name) == 0;
}

static int pass(void)
{
    pthread_mutex_lock(&mutex);
    int seen = stop;
    pthread_mutex_unlock(&mutex);
    return seen;
}

static long *map(int flags, int from)
{
    void *made = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, flags, from, 0);
    must(made != MAP_FAILED);
    return made;
}

static __attribute__((noinline)) void map_and_unmap(void)
{
    long *own = map(MAP_PRIVATE | MAP_ANONYMOUS, -1), *of_file = map(MAP_SHARED, file);
    must(own[0] == 0 && pass() == 0);
    own[0] = of_file[1] = 7;
    must(munmap(own, PAGE) == 0 && munmap(of_file, PAGE) == 0);
}

/* The next mapping gets the number of the last one, plus one: it lies where the one before that did. */
static __attribute__((noinline)) int hand_on(void)
{
    long *next = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
    *next = *kept + 1;
    must(munmap(kept, PAGE) == 0);
    kept = next;
    return *kept < TURNS;
}

/* As many as there are, of which nothing is kept. */
static __attribute__((noinline)) int map_one_more(char *lowest)
{
    char *made = (char *)map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
    return lowest - made < (long)MAPPINGS * PAGE && made - lowest < (long)MAPPINGS * PAGE;
}

static __attribute__((noinline)) int count_in_file(void)
{
    long *shared = map(MAP_SHARED, file);
    long number = ++shared[0];
    must(munmap(shared, PAGE) == 0);
    return number < TURNS;
}

static __attribute__((noinline)) int create_one_more(void)
{
    timer_t timer;
    must(timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0);
    return (long)timer < TIMERS;
}

static void *go_along(void *from)
{
    int me = from != NULL;
    while (atomic_load(&places[!me]) <= SIDES)
        atomic_store(&places[me], (atomic_load(&places[me]) + 1) % SIDES);
    return NULL;
}

static void *go_round(void *unused)
{
    if (is("all"))
        do {
            map_and_unmap();
        } while (pass() == 0);
    else if (is("ring"))
        while (pass() == 0)
            place = (place + 1) % RING;
    else if (is("counted"))
        for (int turns = 0; pass() == 0 && turns < 3 * RING; turns++)
            place = (place + 1) % RING;
    while (is("handed") && hand_on())
        pass();
    for (char *lowest = (char *)map(MAP_PRIVATE | MAP_ANONYMOUS, -1); is("grows") && map_one_more(lowest);)
        for (int i = 0; i < 8; i++)
            pass();
    while (is("shared") && count_in_file())
        pass();
    while (is("timers") && create_one_more())
        for (int i = 0; i < 8; i++)
            pass();
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[2];
    way = argc > 1 ? argv[1] : "all";
    file = memfd_create("file", 0);
    must(ftruncate(file, PAGE) == 0);
    kept = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
    int two = is("orders") || is("order");
    for (long i = 0; i <= two; i++)
        pthread_create(&threads[i], NULL, two ? go_along : go_round, (void *)i);
    if (is("order")) { /* at a moment of which nobody knows */
        for (int i = 0; i < TURNS; i++)
            atomic_load(&places[0]);
        atomic_store(&places[0], 2 * SIDES);
        atomic_store(&places[1], 2 * SIDES);
        return 0;
    }
    for (long i = 0; i <= two; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
