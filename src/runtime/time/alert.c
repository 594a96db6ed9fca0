#include "runtime/time/alert.h"

#include "runtime/engine/able.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/progress/watch.h"
#include "runtime/time/signal.h"

/* The replaced operation stays in `size` and `second`, for reductions. */
static void replace(thread_id thread, enum op_kind kind, uint16_t choices)
{
    struct op *op = &ex.pending[thread];
    op->size = op->kind;
    op->second = op->object;
    op->kind = (uint8_t)kind;
    op->choices = choices;
    op->object = NO_OBJECT;
    thread_pends(thread);
}

/* A thread that waits for a child sees its end in the call first; a handler comes after that. */
static bool wait_comes_first(thread_id thread)
{
    return signal_to_handle(thread) >> (SIGCHLD - 1) & 1 &&
           process_is_told((uint32_t)ex.threads[thread].announced.second);
}

/* In the second half of a wait, or with a mask for the wait, it sleeps for sure. Anywhere else the
 * handler may have run just before the call as well: two outcomes. */
static void alert_by_signal(thread_id thread)
{
    struct thread *who = &ex.threads[thread];
    uint8_t kind = ex.pending[thread].kind;
    who->time.restarts = signal_restarts(thread);
    bool interrupts = who->time.interruption == INTERRUPTED ||
                      (who->time.interruption == RESTARTED && !who->time.restarts);
    bool sleeps = kind == OP_SIGNAL_SLEEP || kind == OP_FUTEX_WAKE || who->signals.suspended;
    who->time.interrupted = interrupts && thread_is_waiting(thread);
    if (kind == OP_PROCESS_WAIT && wait_comes_first(thread))
        who->time.interrupted = true;
    replace(thread, OP_SIGNAL_HANDLE, who->time.interrupted && !sleeps ? 2 : 1);
}

void alert(thread_id thread)
{
    struct thread *who = &ex.threads[thread];
    struct op *op = &ex.pending[thread];
    if (is_alert(op->kind))
        return;
    if (cancel_acts(thread)) {
        if (op->kind != OP_COND_WAKE)
            replace(thread, OP_CANCELLED, 1);
        else if (!who->signalled)
            who->cancel.woken = true; /* it takes the mutex first */
        return;
    }
    if (signal_to_handle(thread) != 0)
        alert_by_signal(thread);
}

/* Of the pending operation: operations of the handler have their own. */
struct kept {
    void *mutex, *cond;
    uint64_t deadline;
    uint32_t depth, bits, count;
    uint8_t asleep, interruption;
    bool timed, futex_timed;
};

static struct kept keep(const struct thread *me)
{
    return (struct kept){.mutex = me->mutex,
                         .cond = me->cond,
                         .deadline = me->deadline,
                         .depth = me->sync.depth,
                         .bits = me->sync.futex.bits,
                         .count = me->sync.futex.count,
                         .asleep = me->time.asleep,
                         .interruption = me->time.interruption,
                         .timed = me->timed,
                         .futex_timed = me->sync.futex.timed};
}

static void put_back(struct thread *me, const struct kept *kept)
{
    me->mutex = kept->mutex;
    me->cond = kept->cond;
    me->deadline = kept->deadline;
    me->sync.depth = kept->depth;
    me->sync.futex.bits = kept->bits;
    me->sync.futex.count = kept->count;
    me->time.asleep = kept->asleep;
    me->time.interruption = kept->interruption;
    me->timed = kept->timed;
    me->sync.futex.timed = kept->futex_timed;
}

enum alert alert_take(void)
{
    struct thread *me = ex.me;
    if (ex.pending[ex.current].kind == OP_CANCELLED)
        cancel_now();
    bool interrupted =
        me->time.interrupted && step_choice() == 0 && signal_to_handle(ex.current) != 0;
    me->time.interrupted = false;
    await_wrote(&me->await);
    me->await.turn = NOT_AWAITING;
    me->await.reads[0].state = 0; /* the pending read begins no turn: the handler may change it */
    if (interrupted && (uint8_t)me->announced.head == OP_PROCESS_WAIT &&
        wait_comes_first(ex.current)) {
        me->time.interrupted = true;
        return ALERT_INTERRUPTED;
    }
    struct kept kept = keep(me);
    struct watch_place place;
    bool watched = watch_keep(&place);
    signals_interrupt();
    put_back(me, &kept);
    if (watched)
        watch_put_back(&place);
    me->time.interrupted = interrupted;
    return interrupted ? ALERT_INTERRUPTED : ALERT_AGAIN;
}

bool announce_interruptible(struct op op, enum interruption how)
{
    ex.me->time.interruption = (uint8_t)how;
    announce(op);
    bool done = !ex.me->time.interrupted;
    ex.me->time.interruption = NOT_INTERRUPTED;
    ex.me->time.interrupted = false;
    return done;
}
