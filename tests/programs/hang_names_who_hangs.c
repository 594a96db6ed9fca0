// A thread that hangs in plain code is named with its own place, on kernel threads too, whichever of them the kernel
// gives the signal to: while others wait, in a thread's first step, and after main has ended. Replayed on both carriers.
// build: gcc -O0
// run: -s dfs --no-shrink --hang 0.5 --isolate fork --carrier kernel -- first
// expect: finding hang
// expect: findings[0].thread == 1
// expect: findings[0].function == first
// run: -s dfs --no-shrink --hang 1 --isolate exec --carrier kernel -- second
// expect: finding hang
// expect: findings[0].thread == 2
// expect: findings[0].function == second
// run: -s dfs --no-shrink --hang 0.5 --isolate fork --carrier kernel -- start
// expect: finding hang
// expect: findings[0].thread == 2
// expect: findings[0].function == start
// run: -s dfs --no-shrink --hang 0.5 --isolate fork --carrier kernel -- orphan
// expect: finding hang
// expect: findings[0].thread == 2
// expect: findings[0].function == second
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *way;

static bool is(const char *name)
{
    return strcmp(way, name) == 0;
}

static void take_step(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void *first(void *unused)
{
    bool hangs = is("first");
    take_step();
    for (unsigned turns = 0; hangs; turns++)
        ;
    take_step();
    return unused;
}

static void *second(void *unused)
{
    bool hangs = is("second") || is("orphan");
    take_step();
    for (unsigned turns = 0; hangs; turns++)
        ;
    return unused;
}

static void *start(void *unused)
{
    for (unsigned turns = 0; turns + 1 > 0; turns += 2)
        ;
    return unused;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "";
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, is("start") ? start : second, NULL);
    if (is("orphan"))
        pthread_exit(NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
