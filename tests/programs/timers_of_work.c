// ITIMER_VIRTUAL and ITIMER_PROF count the processor's time, which passes with each look at its clock; they expire at
// any operation, as code may take any time. The loop reads the flag and waits for a change: the timer expires before
// the first read or after it: 2; in `both` that happens twice, 4.
// modes: all
// run: -s dfs -- virtual
// expect: no finding
// expect: executions 2
// expect: complete == true
// run: -s dfs -- prof
// expect: no finding
// expect: executions 2
// expect: complete == true
// run: -s random -n 20 -- repeated
// expect: no finding
// run: -s dfs -- both
// expect: no finding
// expect: executions 4
// expect: complete == true
// run: -s dfs -- thread
// expect: no finding
// expect: complete == true
// run: -s dfs -- too-late
// expect: finding assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static atomic_int rings[2];

static void on_virtual(int number)
{
    assert(number == SIGVTALRM);
    rings[0]++;
}

static void on_prof(int number)
{
    assert(number == SIGPROF);
    rings[1]++;
}

static const struct itimerval soon = {.it_value.tv_usec = 2000};

static void set(int which, const struct itimerval *value)
{
    struct itimerval old;
    assert(setitimer(which, value, &old) == 0);
    assert(old.it_value.tv_sec == 0 && old.it_value.tv_usec == 0);
}

static int is_off(int which)
{
    struct itimerval now;
    assert(getitimer(which, &now) == 0);
    return now.it_value.tv_sec == 0 && now.it_value.tv_usec == 0;
}

static void once(int which)
{
    set(which, &soon);
    while (rings[which == ITIMER_PROF] == 0)
        continue;
    assert(rings[which == ITIMER_PROF] == 1 && is_off(which));
    assert(rings[which != ITIMER_PROF] == 0);
}

static void repeated(void)
{
    struct itimerval often = {.it_value.tv_usec = 2000, .it_interval.tv_usec = 3000}, old;
    set(ITIMER_PROF, &often);
    while (rings[1] < 3)
        clock();
    assert(setitimer(ITIMER_PROF, &(struct itimerval){0}, &old) == 0);
    assert(old.it_interval.tv_usec == 3000 && old.it_value.tv_usec > 0);
    assert(is_off(ITIMER_PROF));
}

static void *work(void *unused)
{
    while (rings[0] == 0)
        continue;
    return unused;
}

/* Either thread may run the handler. */
static void in_thread(void)
{
    pthread_t thread;
    set(ITIMER_VIRTUAL, &soon);
    assert(pthread_create(&thread, NULL, work, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(rings[0] == 1);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "virtual";
    struct itimerval wrong = {.it_value.tv_usec = 1000000};
    signal(SIGVTALRM, on_virtual);
    signal(SIGPROF, on_prof);
    assert(setitimer(ITIMER_PROF, &wrong, NULL) == -1 && errno == EINVAL);
    assert(is_off(ITIMER_VIRTUAL) && is_off(ITIMER_PROF));
    if (strcmp(how, "virtual") == 0 || strcmp(how, "both") == 0)
        once(ITIMER_VIRTUAL);
    atomic_store(&rings[0], 0);
    if (strcmp(how, "prof") == 0 || strcmp(how, "both") == 0)
        once(ITIMER_PROF);
    if (strcmp(how, "repeated") == 0)
        repeated();
    if (strcmp(how, "thread") == 0)
        in_thread();
    if (strcmp(how, "too-late") == 0) { /* a bug: it may ring before that */
        set(ITIMER_VIRTUAL, &soon);
        assert(rings[0] == 0);
    }
    return 0;
}
