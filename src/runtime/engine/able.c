#include "runtime/engine/able.h"

#include "core/schedule.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/guard.h"
#include "runtime/engine/history.h"
#include "runtime/engine/upper.h"

static bool others_ended(void)
{
    thread_set others = ex.live;
    THREADS_EACH(other, &ex.live) /* of several that leave, one comes first */
    if (ex.pending[other].kind == OP_EXIT || able_is_event(other))
        thread_set_remove(&others, other);
    return thread_set_is_empty(&others);
}

/* A row that waits for what the model says has a condition in waiting.def, and no other row has. */
#define OP(name, words, depends, runs, ...) WAITS_OF_##name = runs,
#define RUNS(waits, ...)                    OP_WAITS_##waits
enum {
#include "core/op.def"
};
#undef OP
#undef RUNS
#define WAITING(kind, condition)                                                                   \
    _Static_assert((int)WAITS_OF_##kind != (int)OP_WAITS_NEVER &&                                  \
                       (int)WAITS_OF_##kind != (int)OP_WAITS_AWAITING,                             \
                   "runtime/engine/waiting.def: the row of " #kind " in core/op.def never waits");
#include "runtime/engine/waiting.def"
#undef WAITING

bool able_need_not_wait(thread_id thread)
{
    const struct op *op = &ex.pending[thread];
    const struct thread *self = &ex.threads[thread];
    enum op_waits waits = op_traits(op->kind)->waits;
    if (waits == OP_WAITS_AWAITING)
        return await_is_idle(&self->await);
    if (waits == OP_WAITS_NEVER || waits == OP_WAITS_FOREVER)
        return waits == OP_WAITS_NEVER;
    switch (op->kind) {
#define WAITING(kind, condition)                                                                   \
    case OP_##kind:                                                                                \
        return condition;
#include "runtime/engine/waiting.def"
#undef WAITING
    }
    UNREACHABLE();
}

/* The thread waits, or its operation would time out if it were carried out now. */
bool thread_is_waiting(thread_id thread)
{
    const struct thread *self = &ex.threads[thread];
    switch (ex.pending[thread].kind) {
    case OP_SLEEP:
        return self->deadline > ex.clock.time;
    case OP_COND_WAKE:
        return !self->signalled && !self->cancel.woken;
    case OP_FUTEX_WAKE:
        return !self->signalled;
    case OP_SEM_TIMEDWAIT:
        return !semaphore_can_wait(self->mutex);
    case OP_MUTEX_TIMEDLOCK:
        return !mutex_can_lock(self->mutex, thread);
    case OP_RWLOCK_TIMEDREAD:
        return !rwlock_can_read(self->mutex, thread);
    case OP_RWLOCK_TIMEDWRITE:
        return !rwlock_can_write(self->mutex, thread);
    case OP_JOIN_TIMED:
        return ex.threads[ex.pending[thread].second].state != THREAD_ENDED;
    case OP_SIGNAL_WAIT:
        return !signal_is_there(thread);
    case OP_FILE_READ:
    case OP_FILE_WRITE:
    case OP_FILE_POLL:
    case OP_ACCEPT:
    case OP_CONNECT:
        return file_is_waiting(self->mutex);
    }
    return !able_can_run(thread);
}

/* Timers expire in order, and time does not pass one by: a thread that sleeps or waits for longer
 * goes on after it. One that would end the program, a watchdog, bites when nobody else can go on.
 */
static __attribute__((noinline, cold)) void leave_out_by_time(thread_set *enabled)
{
    uint64_t first = timer_first();
    thread_set all = *enabled;
    THREADS_EACH(thread, &all)
    {
        bool late = able_is_timer(thread)
                        ? !timer_is_first(thread)
                        : ex.threads[thread].deadline > first && thread_is_waiting(thread);
        if (late)
            thread_set_remove(enabled, thread);
    }
    thread_set without = *enabled;
    THREADS_EACH(thread, enabled)
    if (able_is_timer(thread) && timer_is_watchdog(thread))
        thread_set_remove(&without, thread);
    if (!thread_set_is_empty(&without))
        *enabled = without;
}

/* Words that our own calls leave on a stack are part of a state, and are not the same on both
 * carriers: there a loop may be seen, and give way, a turn earlier. And a thread that gave way in
 * one order of the steps, after an iteration of a loop, need not have in another one that a
 * reduction makes of it. */
static bool is_replayed(thread_id thread)
{
    const struct decision *listed = schedule_listed(rt.trace.count);
    return (rt.options->replay || rt.notes) && listed != NULL && listed->thread == thread;
}

static void note_left_out(const struct thread *thread)
{
    if (thread->yielding == YIELDS_BY_CALL && !rt.reduces)
        guard_note(&the_board->options.marks, MARK_GIVES_WAY);
}

/* A thread that gave way runs again when all others had a step or cannot have one. */
static __attribute__((noinline, cold)) void leave_out_yielding(thread_set *enabled)
{
    thread_set able = *enabled;
    THREADS_EACH(thread, &able)
    if (ex.threads[thread].yielding && !is_replayed(thread) &&
        thread_set_meets(&ex.threads[thread].yields_to, &able)) {
        thread_set_remove(enabled, thread);
        note_left_out(&ex.threads[thread]);
        ex.progress.left_out++;
    }
}

uint16_t able_count_choices(thread_id thread)
{
    switch (ex.pending[thread].kind) {
    case OP_COND_WAIT:
        return cond_wait_choices();
    case OP_COND_SIGNAL:
        return cond_choices(ex.threads[thread].mutex);
    case OP_FUTEX_SIGNAL:
        return futex_choices(thread);
    case OP_PROCESS_WAIT:
        return process_choices(thread);
    case OP_PROCESS_END:
        return child_end_choices(thread);
    case OP_SIGNAL_SEND:
    case OP_TIMER_EXPIRE:
        return signal_choices(thread);
    case OP_FILE_CLOSE:
        return file_close_choices(thread);
    case OP_FILE_CHANGE:
        return file_change_choices(thread);
    }
    UNREACHABLE();
}

struct able_asked able_ask(uint32_t word)
{
    struct able_asked asked = {0};
    for (uint64_t left = ex.by_readiness[ASKED].word[word]; left != 0; left &= left - 1) {
        thread_id thread = (thread_id)(word * 64 + (uint32_t)__builtin_ctzl(left));
        struct op *op = &ex.pending[thread];
        if (op_traits(op->kind)->counted || op->kind == OP_COND_WAIT)
            op->choices = able_count_choices(thread);
        if (!able_can_run(thread))
            continue;
        asked.enabled |= left & -left;
        asked.alternatives += op->choices;
    }
    return asked;
}

__attribute__((cold)) void able_leave_out(struct able *able)
{
    if (ex.yielding_count == 0 && ex.armed_count == 0)
        return;
    if (ex.armed_count > 0)
        leave_out_by_time(able->enabled);
    leave_out_yielding(able->enabled);
    able->alternatives = schedule_alternatives(able->enabled, ex.pending);
}

/* Inside of bohr_atomic_begin and _end, and before operations of trusted code: as long as the
 * thread can go on, nobody else can. Before its first operation in a section that has not begun for
 * the others. */
__attribute__((cold)) struct able able_keep_atomic(struct able able)
{
    bool entered = ex.me->atomic_entered || ex.me->atomic_depth & TRUSTED;
    ex.me->atomic_entered = atomic_sections(ex.me) > 0;
    if (!entered || !thread_set_has(able.enabled, ex.current))
        return able;
    *able.enabled = (thread_set){0};
    thread_set_add(able.enabled, ex.current);
    able.alternatives = ex.pending[ex.current].choices;
    able.kept = true;
    return able;
}

__attribute__((cold)) void able_stop_yielding(thread_id stepping)
{
    struct thread *me = &ex.threads[stepping];
    if (me->yielding) {
        me->yielding = YIELDS_NOT;
        ex.yielding_count--;
    }
    THREADS_EACH(thread, &ex.live)
    thread_set_remove(&ex.threads[thread].yields_to, stepping);
}
