// A failure ends the execution before another thread does what would have prevented it: that order is explored, too.
// The first operation of the thread comes after the failure, so only a race shows that there is another order.
// build: gcc -O0
// build: clang -O0
// run: -s dfs -k -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// expect: complete == true
// expect: silence the only interleaving
// run: -s dpor -k -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s bpor -k -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s preempt -k -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s delay -k -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s best -k -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s best --reduction classic -k -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s dfs -k -j 2 -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s dfs -k --isolate fork -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s dfs -k --isolate fork --carrier kernel -- segv
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s dfs -k -- abort
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s dpor -k -- assert
// expect: finding assertion
// expect: finding race
// expect: findings[1].kind == assertion
// run: -s dfs -k -- exit
// expect: finding exit
// expect: finding assertion
// expect: finding race
// run: -s dpor -k -- exit
// expect: finding exit
// expect: finding assertion
// expect: finding race
// run: -s dpor -k -- heap
// expect: finding invalid-free
// expect: finding crash
// expect: finding assertion
// expect: finding race
// run: -s dfs -k -- later
// expect: finding crash
// expect: finding assertion
// expect: finding race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int value, *pointer;
static const char *way;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *use(void *unused)
{
    int *seen = pointer;
    if (strcmp(way, "abort") == 0 && seen == NULL)
        abort();
    if (strcmp(way, "assert") == 0)
        assert(seen != NULL);
    if (strcmp(way, "exit") == 0 && seen == NULL)
        exit(3);
    if (strcmp(way, "heap") == 0 && seen == NULL)
        free(&value);
    *seen = 17;
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argv[1];
    pthread_create(&thread, NULL, use, NULL);
    if (strcmp(way, "later") == 0) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    pointer = &value;
    pthread_join(thread, NULL);
    assert(value == 0);
    return 0;
}
