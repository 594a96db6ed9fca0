// A try-join or a timed join can come before the end of the thread: its order with the thread's last step is explored.
// build: gcc -O1
// run: -k -s dfs -- try
// expect: finding assertion
// run: -k -s dpor -- try
// expect: finding assertion
// run: -k -s bpor -- try
// expect: finding assertion
// run: -k -s dfs -- timed
// expect: finding assertion
// run: -k -s dpor -- timed
// expect: finding assertion
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static atomic_int x;

static void *work(void *unused)
{
    x = 1;
    return NULL;
}

static pthread_t worker;
static const char *how;

static void *join(void *unused)
{
    struct timespec now = {0};
    int error = strcmp(how, "try") == 0 ? pthread_tryjoin_np(worker, NULL)
                                        : pthread_timedjoin_np(worker, NULL, &now);
    assert(error == 0);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t joiner;
    how = argv[1];
    pthread_create(&worker, NULL, work, NULL);
    pthread_create(&joiner, NULL, join, NULL);
    pthread_join(joiner, NULL);
    return 0;
}
