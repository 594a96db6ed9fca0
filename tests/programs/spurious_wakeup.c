// A wait that is not in a loop: the assertion fails if pthread_cond_wait returns without a signal,
// as POSIX allows. With `while` the program is correct.
// build: gcc -O0
// build: clang -O2
// run: -- if
// expect: finding assertion
// expect: spurious == 1
// expect: findings[0].spurious == 1
// expect: output Spurious wakeups from the pthread_cond_timedwait() or pthread_cond_wait() functions may occur.
// run: -j 2 -- if
// expect: finding assertion
// run: -s dpor --spurious 1 -- if
// expect: finding assertion
// run: -s dpor --spurious 3 -k -- if
// expect: finding assertion
// expect: findings[0].spurious == 1
// run: -s preempt --spurious 1 -- if
// expect: finding assertion
// run: -s delay --spurious 1 -- if
// expect: finding assertion
// run: -s bpor --spurious 1 -- if
// expect: finding assertion
// run: -s best --spurious 1 -- if
// expect: finding assertion
// run: -s stateful --spurious 1 -- if
// expect: finding assertion
// run: -s exitblock --spurious 1 -- if
// expect: finding assertion
// run: -s dpor -- if
// expect: no finding
// expect: spurious == 0
// expect: output without spurious wake-ups
// run: --spurious 0 -- if
// expect: no finding
// expect: output without spurious wake-ups
// run: -- while
// expect: no finding
// expect: output with at most 1 spurious wake-up
// run: -s dfs --spurious 2 -k -- while
// expect: no finding
// expect: complete == true
// run: -- timed
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_once(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (!ready)
        pthread_cond_wait(&changed, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *wait_in_loop(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    assert(ready);
    pthread_mutex_unlock(&mutex);
    return unused;
}

/* Without a signal the call fails, or so the program believes. */
static void *wait_with_limit(void *unused)
{
    struct timespec limit = {.tv_sec = 1};
    int error = 0;
    pthread_mutex_lock(&mutex);
    if (!ready)
        error = pthread_cond_timedwait(&changed, &mutex, &limit);
    assert(ready || error != 0);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    const char *how = argc > 1 ? argv[1] : "if";
    pthread_create(&thread, NULL,
                   strcmp(how, "while") == 0   ? wait_in_loop
                   : strcmp(how, "timed") == 0 ? wait_with_limit
                                               : wait_once,
                   NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
