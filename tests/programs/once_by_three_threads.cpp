// The first of three threads that come to a once, or to a static local, writes it, the others read it: one class for each
// thread that can be the first. A reduction that predicts a read for the first one misses a class. Before a static local
// each thread also loads the guard, and may see it before, while or after it is initialised.
// modes: all
// run: -s dfs -- once
// expect: classes == 3
// expect: complete == true
// run: -s dpor -- once
// expect: classes == 3
// expect: complete == true
// run: -s dpor -j 2 -- once
// expect: classes == 3
// run: -s bpor -- once
// expect: classes == 3
// run: -s best --reduction classic -- once
// expect: classes == 3
// run: -s dpor --reduction source -- once
// expect: classes == 3
// run: -s dfs -- static
// expect: classes == 27
// run: -s dpor -- static
// expect: classes == 27
#include <cstring>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int value;

static void initialise()
{
    value = value + 1;
}

static int add()
{
    value = value + 1;
    return value;
}

static void *by_once(void *unused)
{
    pthread_once(&once, initialise);
    return unused;
}

static void *by_static(void *unused)
{
    static int first = add();
    return first == 1 ? unused : nullptr;
}

int main(int, char **arguments)
{
    pthread_t threads[3];
    for (pthread_t &thread : threads)
        pthread_create(&thread, nullptr, strcmp(arguments[1], "once") == 0 ? by_once : by_static, nullptr);
    for (pthread_t &thread : threads)
        pthread_join(thread, nullptr);
    return 0;
}
