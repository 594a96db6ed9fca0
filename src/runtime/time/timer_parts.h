/* Timers that send signals or start threads: alarm, setitimer, timer_create. One that runs stands
 * among the threads, with its expiry as the pending operation.
 *
 * What the two files of timers share: what one is, and how it runs. timer.c is what the program
 * calls; timer_expiry.c is about those that run. */
#ifndef RUNTIME_TIME_TIMER_PARTS_H
#define RUNTIME_TIME_TIMER_PARTS_H

#include <signal.h>

enum { INTERVAL_TIMERS = 3 }; /* of setitimer */

struct timer {
    struct timer *next;
    struct thread *thread; /* that stands for it; NULL: it never ran */
    uintptr_t handle;
    clockid_t clock;
    struct sigevent event;
    siginfo_t info;            /* what its signal says */
    thread_id target;          /* NO_THREAD: the process */
    uint64_t expiry, interval; /* nanoseconds since the start; of the processor's time if so */
    uint64_t missed;           /* expiries whose signal was still pending */
    bool armed;
};

uint32_t timer_object(const struct timer *timer);
uint64_t timer_now(const struct timer *timer); /* on its clock */
bool timer_is_wall(
    const struct timer *timer); /* it runs on a wall clock, none of the processor's time */
void timer_arm(struct timer *timer, uint64_t expiry, uint64_t interval, uintptr_t site);
void timer_disarm(struct timer *timer);

#endif
