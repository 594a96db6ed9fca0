// A store that a call makes for the program is a write like any other: two threads that let the clock, or
// chance, write to the same place race.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -k -- clock
// expect: finding race
// run: -s dfs -k -- seconds
// expect: finding race
// run: -s dfs -k -- random
// expect: finding race
// run: -s dfs -k -- own
// expect: no finding
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

static const char *what;
static struct timespec shared;

static void *work(void *unused)
{
    struct timespec own;
    if (strcmp(what, "clock") == 0)
        clock_gettime(CLOCK_MONOTONIC, &shared);
    else if (strcmp(what, "seconds") == 0)
        time(&shared.tv_sec);
    else if (strcmp(what, "random") == 0)
        return getrandom(&shared, sizeof shared, 0) < 0 ? &shared : unused;
    else
        clock_gettime(CLOCK_MONOTONIC, &own);
    return unused;
}

int main(int argc, char **argv)
{
    what = argv[argc - 1];
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
