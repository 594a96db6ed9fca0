// Looking at a clock takes time, so loops that only wait for a time to come end; the longer they
// look, the faster. A flag that is looked at in between does not make such a loop an await: it ends
// though nobody ever sets the flag.
// run: -s dfs -- clock
// expect: no finding
// expect: executions 1
// expect: wall_seconds < 2
// run: -s dfs -- hour
// expect: no finding
// expect: executions 1
// run: -s random -n 3 -- flag
// expect: no finding
// expect: executions 3
// expect: cut 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static atomic_int flag;

static void *wait_for_flag(void *unused)
{
    time_t end = time(NULL) + 3;
    while (!atomic_load(&flag) && time(NULL) < end)
        continue;
    return unused;
}

int main(int argc, char **argv)
{
    time_t start = time(NULL);
    if (strcmp(argv[argc - 1], "clock") == 0) {
        clock_t before = clock();
        while (clock() - before < 500 * CLOCKS_PER_SEC / 1000)
            continue;
        assert(time(NULL) - start <= 1);
    } else if (strcmp(argv[argc - 1], "hour") == 0) {
        while (time(NULL) < start + 3600)
            continue;
        assert(time(NULL) < start + 3610);
    } else {
        pthread_t thread;
        pthread_create(&thread, NULL, wait_for_flag, NULL);
        pthread_join(thread, NULL);
        assert(time(NULL) >= start + 3);
    }
    return 0;
}
