// Joins of one thread depend on each other, and on its detach: the one that comes first gets it. Every
// call is a step, also one that fails.
// modes: all
// expect: finding misuse
// expect: complete == true
// run: -k --exit wait -s dfs -- join
// expect: executions 5
// expect: classes 3
// run: -k --exit wait -s dpor -- join
// expect: executions 3
// expect: classes 3
// run: -k --exit wait -s bpor -- join
// expect: classes 3
// run: -k --exit wait -s best --reduction classic -- join
// expect: classes 3
// run: -k --exit wait -s dfs -- detach
// expect: classes 3
// run: -k --exit wait -s dpor -- detach
// expect: classes 3
// run: -k --exit wait -s dfs -- c11
// expect: classes 3
// run: -k --exit wait -s dpor -- c11
// expect: classes 3
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <threads.h>

static atomic_int x;
static pthread_t thread;
static thrd_t thread11;
static const char *how;

static __attribute__((noinline)) int consume(int detaches)
{
    if (strcmp(how, "c11") == 0)
        return thrd_join(thread11, NULL) != thrd_success;
    if (detaches && strcmp(how, "detach") == 0)
        return pthread_detach(thread);
    return pthread_join(thread, NULL);
}

static void *empty(void *unused)
{
    return NULL;
}

static int empty11(void *unused)
{
    return 0;
}

static void *other(void *unused)
{
    atomic_load(&x);
    if (consume(0))
        x = 1;
    atomic_load(&x);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t joiner;
    how = argv[1];
    if (strcmp(how, "c11") == 0)
        thrd_create(&thread11, empty11, NULL);
    else
        pthread_create(&thread, NULL, empty, NULL);
    pthread_create(&joiner, NULL, other, NULL);
    if (consume(1))
        x = 2;
    pthread_join(joiner, NULL);
    return 0;
}
