/* Signals, cancellation and a timer in toy programs, as the runtime has them (time/alert.h,
 * signal.h, cancel.h, timer.h): what strikes a thread takes the place of the operation before which
 * it stands. */
#include "base/mix.h"
#include "support/toy_parts.h"

static uint8_t bit(uint32_t number)
{
    return (uint8_t)(1u << number);
}

static uint32_t signals_object(const struct toy *toy, thread_id thread)
{
    return TOY_SIGNALS_OBJECT +
           (thread == NO_THREAD ? (uint32_t)TOY_THREADS_MAX : toy->threads[thread].list);
}

static bool is_live(const struct toy *toy, thread_id thread)
{
    return thread != NO_THREAD && !toy->threads[thread].ended;
}

bool alerts_are_next(const struct toy_op *op)
{
    return op->kind >= TOY_KILL && op->kind <= TOY_EXPIRE;
}

bool alerts_in_handler(const struct toy *toy, thread_id thread)
{
    const struct toy_alerts *alerts = &toy->threads[thread].alerts;
    return alerts->depth > 0 && alerts->frames[alerts->depth - 1].handler < TOY_SIGNALS;
}

static uint8_t to_handle(const struct toy *toy, thread_id thread)
{
    const struct toy_alerts *alerts = &toy->threads[thread].alerts;
    return (uint8_t)((alerts->posted | toy->posted) & ~alerts->blocked);
}

static bool waits_for(const struct toy *toy, thread_id thread, uint32_t number)
{
    const struct toy_op *next = toy_next(toy, thread);
    return toy->threads[thread].alerts.kind == OP_NONE && next->second == number &&
           (next->kind == TOY_SIGWAIT || next->kind == TOY_SIGPOLL);
}

static bool is_there(const struct toy *toy, thread_id thread, uint32_t number)
{
    return (toy->threads[thread].alerts.posted | toy->posted) & bit(number);
}

/* The threads that may get a signal sent to the process; none: it stays pending there. */
static thread_set takers(const struct toy *toy, uint32_t number)
{
    thread_set open = {0};
    for (thread_id i = 0; i < toy->thread_count; i++) {
        if (toy->threads[i].ended || toy->threads[i].is_timer)
            continue;
        if (waits_for(toy, i, number))
            return (thread_set){0};
        if (!(toy->threads[i].alerts.blocked & bit(number)))
            thread_set_add(&open, i);
    }
    if (toy->ignored & bit(number) && !thread_set_is_empty(&open)) {
        thread_id first = thread_set_next(&open, 0);
        open = (thread_set){0};
        thread_set_add(&open, first);
    }
    return open;
}

static uint16_t count_takers(const struct toy *toy, uint32_t number)
{
    thread_set all = takers(toy, number);
    uint32_t count = thread_set_count(&all);
    return (uint16_t)(count > 1 ? count : 1);
}

static thread_id chosen_taker(const struct toy *toy, uint32_t number, uint16_t choice)
{
    thread_set all = takers(toy, number);
    THREADS_EACH(thread, &all)
    if (choice-- == 0)
        return thread;
    return NO_THREAD;
}

struct op alerts_op(const struct toy *toy, thread_id thread, const struct toy_op *op)
{
    struct op as = {.choices = 1,
                    .object = signals_object(toy, thread),
                    .site = toy->threads[thread].list * 100 + toy->threads[thread].next};
    switch (op->kind) {
    case TOY_KILL:
        as.kind = OP_SIGNAL_SEND, as.object = TOY_SIGNALS_OBJECT + op->object;
        as.second = toy->thread_of[op->object];
        return as;
    case TOY_KILL_ANY:
        as.kind = OP_SIGNAL_SEND, as.object = signals_object(toy, NO_THREAD);
        as.choices = count_takers(toy, op->second);
        return as;
    case TOY_BLOCK:
    case TOY_UNBLOCK:
        as.kind = OP_SIGNAL_SET;
        return as;
    case TOY_IGNORE:
        as.kind = OP_SIGNAL_SET, as.object = TOY_ACTIONS_OBJECT;
        return as;
    case TOY_SIGWAIT:
    case TOY_SIGPOLL:
        as.kind = OP_SIGNAL_WAIT, as.object = NO_OBJECT;
        return as;
    case TOY_PENDING:
        as.kind = OP_SIGNAL_LOOK;
        return as;
    case TOY_PAUSE:
        as.kind = toy->threads[thread].sleep == AWAKE ? OP_SIGNAL_SET : OP_SIGNAL_SLEEP;
        if (as.kind == OP_SIGNAL_SLEEP)
            as.object = NO_OBJECT;
        return as;
    case TOY_CANCEL:
        as.kind = OP_CANCEL, as.object = TOY_CANCEL_OBJECT + op->object;
        as.second = toy->thread_of[op->object];
        return as;
    case TOY_TEST_CANCEL:
        as.kind = OP_CANCEL_TEST, as.object = TOY_CANCEL_OBJECT + toy->threads[thread].list;
        return as;
    case TOY_ALARM:
        as.kind = OP_TIMER_SET, as.object = TOY_TIMER_OBJECT;
        return as;
    case TOY_EXPIRE:
        as.kind = OP_TIMER_EXPIRE, as.object = TOY_TIMER_OBJECT;
        as.choices = count_takers(toy, 0);
        return as;
    default:
        UNREACHABLE();
    }
}

/* The replaced operation stays in `size` and `second`. */
struct op alerts_replace(const struct toy *toy, thread_id thread, struct op op)
{
    const struct toy_thread *who = &toy->threads[thread];
    if (who->alerts.kind == OP_NONE)
        return op;
    op.size = op.kind;
    op.second = op.object;
    op.kind = who->alerts.kind;
    op.object = NO_OBJECT;
    op.before = 0;
    op.choices = who->alerts.interrupted && toy_next(toy, thread)->kind != TOY_PAUSE ? 2 : 1;
    return op;
}

bool alerts_can_run(const struct toy *toy, thread_id thread, const struct toy_op *op)
{
    switch (op->kind) {
    case TOY_SIGWAIT:
        return is_there(toy, thread, op->second);
    case TOY_PAUSE:
        return toy->threads[thread].sleep == AWAKE;
    default:
        return true;
    }
}

/* Time does not pass the timer by: a thread that sleeps or waits for longer goes on after it. */
bool alerts_hold_back(const struct toy *toy, thread_id thread)
{
    const struct toy_op *op = toy_next(toy, thread);
    bool timed =
        op->kind == TOY_TIMED_WAIT || op->kind == TOY_TIMED_LOCK || op->kind == TOY_SEM_TIMED;
    uint32_t deadline = op->kind == TOY_SLEEP ? toy->threads[thread].deadline
                        : timed               ? (uint32_t)op->value
                                              : 0;
    return is_live(toy, toy->timer) && deadline > toy->threads[toy->timer].expiry &&
           toy_is_waiting(toy, thread);
}

static bool is_point(const struct toy_op *op)
{
    switch (op->kind) {
    case TOY_JOIN:
    case TOY_WAIT:
    case TOY_TIMED_WAIT:
    case TOY_SEM_WAIT:
    case TOY_SEM_TIMED:
    case TOY_SLEEP:
    case TOY_TEST_CANCEL:
    case TOY_SIGWAIT:
    case TOY_SIGPOLL:
        return true;
    case TOY_PAUSE: /* its second step */
    default:
        return false;
    }
}

static bool is_interruptible(const struct toy_op *op)
{
    return op->kind == TOY_SEM_WAIT || op->kind == TOY_SEM_TIMED || op->kind == TOY_PAUSE ||
           op->kind == TOY_SIGPOLL;
}

static void alert(struct toy *toy, thread_id thread)
{
    struct toy_thread *who = &toy->threads[thread];
    const struct toy_op *next = toy_next(toy, thread);
    if (who->alerts.kind != OP_NONE)
        return;
    bool sleeps = next->kind == TOY_PAUSE && who->sleep != AWAKE;
    if (who->alerts.requested && !who->alerts.exiting && (is_point(next) || sleeps)) {
        if ((next->kind != TOY_WAIT && next->kind != TOY_TIMED_WAIT) || who->sleep == AWAKE)
            who->alerts.kind = OP_CANCELLED;
        else if (who->sleep == ASLEEP)
            who->alerts.woken = true; /* it takes the mutex first */
        return;
    }
    if (to_handle(toy, thread) == 0)
        return;
    who->alerts.interrupted = is_interruptible(next) && toy_is_waiting(toy, thread);
    who->alerts.kind = OP_SIGNAL_HANDLE;
}

void alerts_announce(struct toy *toy, thread_id thread)
{
    if (toy->threads[thread].alerts.requested && !toy->threads[thread].ended)
        alert(toy, thread);
}

/* The lowest of those that it can handle. */
static uint32_t take(struct toy *toy, thread_id thread, uint8_t set)
{
    struct toy_alerts *alerts = &toy->threads[thread].alerts;
    uint8_t *from = alerts->posted & set ? &alerts->posted : &toy->posted;
    uint32_t number = (uint32_t)__builtin_ctz(*from & set);
    *from &= (uint8_t)~bit(number);
    return number;
}

/* A pending signal that a handler does not block comes first, on top of it. */
static void run_handlers(struct toy *toy, thread_id thread)
{
    struct toy_alerts *alerts = &toy->threads[thread].alerts;
    for (;;) {
        if (to_handle(toy, thread) != 0) {
            uint32_t number = take(toy, thread, to_handle(toy, thread));
            if (toy->ignored & bit(number))
                continue;
            CHECK(alerts->depth < TOY_FRAMES_MAX);
            alerts->frames[alerts->depth++] =
                (struct toy_frame){.handler = (uint8_t)number, .before = alerts->blocked};
            alerts->blocked |= bit(number);
            continue;
        }
        if (alerts->depth == 0)
            return;
        const struct toy_frame *top = &alerts->frames[alerts->depth - 1];
        if (top->next < toy->program->handlers[top->handler].count)
            return;
        alerts->blocked = top->before;
        alerts->depth--;
    }
}

void alerts_advance(struct toy *toy, thread_id thread)
{
    struct toy_alerts *alerts = &toy->threads[thread].alerts;
    alerts->frames[alerts->depth - 1].next++;
    run_handlers(toy, thread);
}

void alerts_cancel(struct toy *toy, thread_id thread)
{
    struct toy_thread *who = &toy->threads[thread];
    struct toy_alerts *alerts = &who->alerts;
    who->sleep = AWAKE;
    alerts->exiting = true;
    alerts->woken = false;
    alerts->depth = 0;
    if (toy->program->handlers[TOY_SIGNALS].count > 0)
        alerts->frames[alerts->depth++] =
            (struct toy_frame){.handler = TOY_SIGNALS, .before = alerts->blocked};
}

void alerts_strike(struct toy *toy, struct step *step)
{
    thread_id thread = step->thread;
    struct toy_thread *who = &toy->threads[thread];
    uint8_t kind = who->alerts.kind;
    const struct toy_op *own = toy_own(toy, thread);
    bool interrupted = who->alerts.interrupted && step->choice == 0 && to_handle(toy, thread) != 0;
    who->alerts.kind = OP_NONE;
    who->alerts.interrupted = false;
    if (kind == OP_CANCELLED) {
        alerts_cancel(toy, thread);
        return;
    }
    if (interrupted) {
        who->sleep = AWAKE;
        who->next += 1u + own->skip;
    }
    toy_touch(toy, step, signals_object(toy, thread), TOUCH_WRITES);
    run_handlers(toy, thread);
}

static void post(struct toy *toy, struct step *step, thread_id taker, uint32_t number)
{
    struct toy_alerts *theirs = taker != NO_THREAD ? &toy->threads[taker].alerts : NULL;
    toy_touch(toy, step, signals_object(toy, taker), TOUCH_WRITES);
    if (taker == NO_THREAD) {
        toy->posted |= bit(number);
        return;
    }
    bool blocked = waits_for(toy, taker, number) || theirs->blocked & bit(number);
    theirs->posted |= bit(number);
    if (taker == step->thread)
        return;
    toy_touch(toy, step, taker, TOUCH_LEADS);
    if (!blocked)
        alert(toy, taker);
}

/* An ignored signal is dropped unless it is blocked; Linux asks the first thread, for the process.
 */
static bool is_dropped(const struct toy *toy, thread_id asked, uint32_t number)
{
    return toy->ignored & bit(number) && !(toy->threads[asked].alerts.blocked & bit(number));
}

static void drop(struct toy *toy, uint32_t number)
{
    toy->ignored |= bit(number);
    toy->posted &= (uint8_t)~bit(number);
    for (thread_id i = 0; i < toy->thread_count; i++)
        toy->threads[i].alerts.posted &= (uint8_t)~bit(number);
}

static void stop_timer(struct toy *toy, struct step *step)
{
    if (!is_live(toy, toy->timer))
        return;
    toy_touch(toy, step, toy->timer, TOUCH_LEADS); /* it was to expire */
    toy->threads[toy->timer].ended = true;
}

static void set_timer(struct toy *toy, struct step *step, uint32_t after)
{
    struct toy_thread *who = &toy->threads[step->thread];
    stop_timer(toy, step);
    if (after == 0)
        return;
    if (toy->timer == NO_THREAD)
        toy->timer = toy_begin_thread(toy, mix(who->name, ++who->children));
    struct toy_thread *timer = &toy->threads[toy->timer];
    timer->is_timer = true;
    timer->ended = false;
    timer->expiry = toy->time + after;
    toy_touch(toy, step, toy->timer, TOUCH_LEADS);
}

static void request(struct toy *toy, struct step *step, thread_id thread)
{
    if (!is_live(toy, thread))
        return;
    toy->threads[thread].alerts.requested = true;
    if (thread == step->thread)
        return;
    toy_touch(toy, step, thread, TOUCH_LEADS);
    alert(toy, thread);
}

bool alerts_take(struct toy *toy, struct step *step, const struct toy_op *op, bool *skips)
{
    thread_id me = step->thread;
    struct toy_thread *who = &toy->threads[me];
    uint8_t number = bit(op->second);
    switch (op->kind) {
    case TOY_KILL:
        if (!is_live(toy, toy->thread_of[op->object]))
            step->flags |= STEP_FAILED;
        else if (!is_dropped(toy, toy->thread_of[op->object], op->second))
            post(toy, step, toy->thread_of[op->object], op->second);
        run_handlers(toy, me);
        break;
    case TOY_KILL_ANY:
        if (!is_dropped(toy, 0, op->second))
            post(toy, step, chosen_taker(toy, op->second, step->choice), op->second);
        run_handlers(toy, me);
        break;
    case TOY_BLOCK:
        who->alerts.blocked |= number;
        break;
    case TOY_UNBLOCK:
        who->alerts.blocked &= (uint8_t)~number;
        run_handlers(toy, me);
        break;
    case TOY_IGNORE:
        drop(toy, op->second);
        break;
    case TOY_SIGWAIT:
    case TOY_SIGPOLL:
        *skips = !is_there(toy, me, op->second);
        if (*skips)
            step->flags |= STEP_FAILED;
        else
            take(toy, me, number);
        toy_touch(toy, step, signals_object(toy, me), *skips ? TOUCH_READS : TOUCH_WRITES);
        toy_touch(toy, step, signals_object(toy, NO_THREAD), *skips ? TOUCH_READS : TOUCH_WRITES);
        break;
    case TOY_PENDING:
        *skips = !is_there(toy, me, op->second) || !(who->alerts.blocked & number);
        toy_touch(toy, step, signals_object(toy, NO_THREAD), TOUCH_READS);
        break;
    case TOY_PAUSE:
        who->sleep = ASLEEP;
        return false;
    case TOY_CANCEL:
        request(toy, step, toy->thread_of[op->object]);
        break;
    case TOY_TEST_CANCEL:
        break;
    case TOY_ALARM:
        set_timer(toy, step, (uint32_t)op->value);
        break;
    case TOY_EXPIRE:
        toy_reach(toy, step, who->expiry);
        stop_timer(toy, step);
        if (!is_dropped(toy, 0, 0))
            post(toy, step, chosen_taker(toy, 0, step->choice), 0);
        return false;
    default:
        UNREACHABLE();
    }
    return true;
}
