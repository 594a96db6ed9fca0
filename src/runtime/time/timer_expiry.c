/* Timers that run: how they stand among the threads, and what happens when one expires. */
#define _GNU_SOURCE
#include "base/mix.h"
#include "runtime/engine/able.h"
#include "runtime/engine/frames.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/progress/stuck.h"
#include "runtime/time/signal.h"
#include "runtime/time/timer_parts.h"
#include "runtime/time/virtual_clock.h"

enum { OVERRUN_MAX = 0x7fffffff };

uint32_t timer_object(const struct timer *timer)
{
    return object_number(&ex.timers.objects[timer->handle % sizeof ex.timers.objects]);
}

uint64_t timer_now(const struct timer *timer)
{
    return clock_is_for_work(timer->clock) ? ex.clock.cpu_time : ex.clock.time;
}

bool timer_is_wall(const struct timer *timer)
{
    return !clock_is_for_work(timer->clock);
}

uint64_t timer_first(void)
{
    uint64_t first = UINT64_MAX;
    THREADS_EACH(thread, &ex.live)
    {
        const struct timer *timer = ex.threads[thread].time.timer;
        if (timer != NULL && timer_is_wall(timer) && timer->expiry < first)
            first = timer->expiry;
    }
    return first;
}

bool timer_is_first(thread_id thread)
{
    const struct timer *timer = ex.threads[thread].time.timer;
    return !timer_is_wall(timer) || timer->expiry == timer_first();
}

bool timer_is_watchdog(thread_id thread)
{
    const struct timer *timer = ex.threads[thread].time.timer;
    return timer->event.sigev_notify != SIGEV_THREAD && signal_would_end(timer->info.si_signo);
}

static void stand_among_threads(struct timer *timer, uintptr_t site)
{
    thread_id number = thread_new("timers", site);
    thread_begin(number, ex.current);
    struct thread *thread = &ex.threads[number];
    thread->state = THREAD_LIVE;
    thread->sync.detached = true;
    thread->fs = (uintptr_t)thread; /* nobody's */
    thread->time.timer = timer;
    timer->thread = thread;
}

void timer_disarm(struct timer *timer)
{
    if (!timer->armed)
        return;
    timer->armed = false;
    if (timer->thread == NULL)
        return;
    step_touched(thread_number(timer->thread), TOUCH_LEADS); /* it was to expire */
    thread_rests((thread_id)thread_number(timer->thread));
    ex.armed_count--;
}

void timer_arm(struct timer *timer, uint64_t expiry, uint64_t interval, uintptr_t site)
{
    timer->expiry = expiry;
    timer->interval = interval;
    timer->armed = true;
    if (timer->event.sigev_notify == SIGEV_NONE)
        return;
    if (timer->thread == NULL)
        stand_among_threads(timer, site);
    bool any = timer->target == NO_THREAD && timer->event.sigev_notify != SIGEV_THREAD;
    timer->thread->signals.sending = any ? (uint8_t)timer->info.si_signo : 0;
    thread_id number = (thread_id)thread_number(timer->thread);
    thread_depends(number, ex.current);
    race_release(&ex.race, &object_state(timer_object(timer))->sync);
    ex.pending[number] = (struct op){
        .kind = OP_TIMER_EXPIRE, .choices = 1, .object = timer_object(timer), .site = site};
    thread_pends(number);
    if (rt.options->detail)
        frames_capture(number);
    thread_set_add(&ex.live, number);
    ex.armed_count++;
}

struct event_call { /* of SIGEV_THREAD */
    void (*function)(union sigval);
    union sigval value;
};

static void *run_event(void *argument)
{
    struct event_call *call = argument;
    call->function(call->value);
    return NULL;
}

static void start_thread(const struct timer *timer, struct thread *host)
{
    struct event_call *call = execution_take(sizeof *call);
    *call = (struct event_call){.function = timer->event.sigev_notify_function,
                                .value = timer->event.sigev_value};
    thread_spawn(host, run_event, call, ex.pending[ex.current].site);
}

static bool is_in(const struct queued *queue, const struct timer *timer)
{
    for (; queue != NULL; queue = queue->next)
        if (queue->info.si_code == SI_TIMER && queue->info.si_timerid == timer->info.si_timerid)
            return true;
    return false;
}

static bool is_pending(const struct timer *timer)
{
    THREADS_EACH(thread, &ex.live)
    if (is_in(ex.threads[thread].signals.queue, timer))
        return true;
    return is_in(ex.signals.queue, timer);
}

static void notify(struct timer *timer, struct thread *host)
{
    if (timer->event.sigev_notify == SIGEV_THREAD) {
        start_thread(timer, host);
        return;
    }
    bool ended = timer->target != NO_THREAD && ex.threads[timer->target].state == THREAD_ENDED;
    if (timer->info.si_code == SI_TIMER && is_pending(timer)) {
        timer->missed++;
    } else if (!ended) {
        timer->info.si_overrun = timer->missed > OVERRUN_MAX ? OVERRUN_MAX : (int)timer->missed;
        timer->missed = 0;
        signal_post(timer->target, &timer->info);
    }
}

/* A timer that goes on gives way: it expires again when all others had a step or cannot have
 * one. */
static void give_way(struct thread *me)
{
    me->yields_to = ex.live;
    thread_set_remove(&me->yields_to, (thread_id)thread_number(me));
    if (!me->yielding)
        ex.yielding_count++;
    me->yielding = YIELDS_BY_CALL;
}

/* A watchdog expires when no thread is enabled. If no thread sleeps or waits with a timeout either,
 * the threads are deadlocked: that is the error, and the watchdog only ends the program. A signal
 * that all threads block, such as one that a signalfd reads, ends nothing. */
static void watchdog_shows_deadlock(const struct timer *timer)
{
    if (!signal_is_taken(timer->target, timer->info.si_signo))
        return;
    thread_set waiting = {0};
    THREADS_EACH(thread, &ex.live)
    {
        if (able_is_event(thread))
            continue;
        enum op_kind kind = ex.pending[thread].kind;
        if (able_can_run(thread) || kind == OP_SIGNAL_SLEEP || kind == OP_SIGNAL_WAIT)
            return; /* it may be there for this */
        thread_set_add(&waiting, thread);
    }
    if (thread_set_is_empty(&waiting) || !detecting(DETECT_DEADLOCK))
        return;
    ex.stuck = waiting;
    stuck_at_watchdog();
}

void timer_expire(struct thread *host)
{
    struct timer *timer = ex.me->time.timer;
    thread_id number = ex.current;
    if (unlikely(timer_is_watchdog(number)))
        watchdog_shows_deadlock(timer);
    uint32_t object = timer_object(timer);
    step_touch(object, OP_ACCESS_WRITE);
    race_acquire(&ex.race, &object_state(object)->sync);
    uint64_t now = timer_now(timer);
    if (timer_is_wall(timer))
        clock_reach(timer->expiry);
    else if (timer->expiry > now)
        clock_work(timer->expiry - now);
    if (timer->interval == 0) {
        timer_disarm(timer);
    } else {
        uint64_t behind = (timer_now(timer) - timer->expiry) / timer->interval;
        timer->missed += behind;
        timer->expiry += (behind + 1) * timer->interval;
        give_way(ex.me);
    }
    notify(timer, host);
    ex.current = number;
}

static uint64_t state_of(const struct timer *timer)
{
    if (timer == NULL)
        return 0;
    uint64_t state = mix(timer->handle, timer->missed);
    state = mix(mix(state, (uint64_t)timer->info.si_overrun), timer->interval);
    return mix(state, timer->armed ? timer->expiry - timer_now(timer) : 1);
}

uint64_t timers_state(void)
{
    uint64_t state = ex.timers.made;
    for (int i = 0; i < INTERVAL_TIMERS; i++)
        state = mix(state, state_of(ex.timers.interval[i]));
    for (const struct timer *each = ex.timers.all; each != NULL; each = each->next)
        state = mix(state, state_of(each));
    return state;
}
