/* alarm: a timer of virtual time. It stands among the threads, and its expiry is its step, enabled at any time while it is
 * set, since threads may be slow (docs/COUNTING.md, rule 13). Programs sleep for less than a second in all, so no sleep ends
 * after an expiry. The expiry sends SIGALRM to the process. */
#define _GNU_SOURCE
#include "oracle.h"

#include <signal.h>
#include <string.h>

static struct timer {
    struct thread *thread; /* NULL: never set */
    bool armed;
    uint64_t expiry;
} *timer;

static void timers_reset(void)
{
    memset(timer, 0, sizeof *timer);
}

void timers_open(void)
{
    timer = room(sizeof *timer);
    at_reset(timers_reset);
}

static bool is_armed(struct thread *thread)
{
    (void)thread;
    return timer->armed;
}

bool timer_rests(const struct thread *thread)
{
    return thread == timer->thread && !timer->armed;
}

static unsigned expiry_outcomes(struct thread *thread)
{
    (void)thread;
    return signal_process_ways(SIGALRM);
}

static void *timer_run(void *unused)
{
    for (;;) {
        announce((struct operation){.name = "timer expires", .enabled = is_armed, .outcomes = expiry_outcomes});
        touch(timer, true);
        acquire(timer);
        timer->armed = false;
        time_reach(timer->expiry);
        signal_process(SIGALRM);
    }
    return unused;
}

unsigned __wrap_alarm(unsigned seconds)
{
    announce((struct operation){.name = "set timer", .site = HERE});
    touch(timer, true);
    unsigned left = timer->armed;
    timer->armed = seconds > 0;
    timer->expiry = the->time + 1000000000ul;
    if (seconds == 0)
        return left;
    if (seconds != 1)
        exceeded("times of alarms");
    release(timer);
    if (timer->thread == NULL) {
        timer->thread = thread_make(timer_run, NULL);
        timer->thread->is_timer = true;
        the->own_steps[timer->thread->id] = the->step_count;
        thread_run_to_first_operation(timer->thread);
    }
    return left;
}
