#include "runtime/engine/history.h"

#include "base/mix.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/object.h"
#include "runtime/engine/upper.h"

void step_failed(void)
{
    rt.trace.steps[rt.trace.count - 1].flags |= STEP_FAILED;
    cycle_failed();
}

void step_becomes(enum op_kind kind)
{
    cycle_becomes(kind);
    rt.trace.steps[rt.trace.count - 1].op.kind = (uint8_t)kind;
}

void step_timed_out(void)
{
    rt.trace.steps[rt.trace.count - 1].flags |= STEP_TIMED_OUT;
}

void step_note_time(struct op *op, thread_id thread)
{
    bool matters = the_board->tally.clock_matters;
    if (op_is_timed(op->kind))
        op->second = matters && !(op->kind == rt.options->fault &&
                                  rt.options->fault_column == OP_FAULT_DEPENDENCE);
    else if (op->kind == OP_COND_WAKE && ex.threads[thread].timed)
        op->size = matters ? OP_WIDE : OP_TIMED;
}

void step_note(uint64_t fact)
{
    note(ex.me, fact);
}

void step_touch(uint32_t object, enum op_access access)
{
    touch(object_state(object), access);
}

void step_touched(uint32_t object, enum touch_access access)
{
    if (!rt.notes || rt.trace.count == 0)
        return;
    struct step *step = &rt.trace.steps[rt.trace.count - 1];
    bool orders = access == TOUCH_READS || access == TOUCH_WRITES;
    if (unlikely(rt.options->fault != 0) && step->op.kind == rt.options->fault &&
        rt.options->fault_column == OP_FAULT_DEPENDENCE && orders)
        return;
    if (step->touches_end == rt.trace.capacity * TOUCHES_EACH)
        step->flags |= STEP_ALL;
    else
        rt.trace.touches[step->touches_end++] = (struct touch){object, access};
}

bool step_is_broken(enum op_fault column)
{
    return rt.options->fault != 0 && rt.trace.count > 0 && rt.options->fault_column == column &&
           rt.trace.steps[rt.trace.count - 1].op.kind == rt.options->fault;
}

void step_depends_on_all(void)
{
    if (rt.notes && rt.trace.count > 0 && !step_is_broken(OP_FAULT_DEPENDENCE))
        rt.trace.steps[rt.trace.count - 1].flags |= STEP_ALL;
}

void step_is_unreduced(enum unreduced cause)
{
    if (rt.notes)
        the_board->flight.unreduced |= 1u << cause;
}

void step_sees_time(void)
{
    bool begins_anew = (rt.notes && rt.strategy->traits.reduces) || states_are_compared();
    if (begins_anew && !the_board->tally.clock_matters)
        the_board->flight.clock_seen = 1;
    else if (!the_board->tally.clock_matters)
        step_is_unreduced(UNREDUCED_CLOCKS); /* for a part of a search a restart is not worth it */
    step_depends_on_all();
}

void step_moves_time(void)
{
    if (the_board->tally.clock_matters)
        step_depends_on_all();
}

void class_so_far(uint64_t class[2])
{
    for (int k = 0; k < 2; k++)
        class[k] = mix(ex.class[k], ex.clock.time);
    if (ex.me->atomic_depth > 0) /* nobody else can run as long as it can */
        class[0] += ex.me->name, class[1] += ex.me->name;
    for (thread_id i = 0; i < ex.thread_count; i++) {
        const struct thread *thread = &ex.threads[i];
        for (int k = 0; k < 2; k++)
            class[k] +=
                mix(thread->name + i, thread->chain[k]); /* the next thread is chosen by number */
        for (int k = 0; thread->await.turn != NOT_AWAITING && k < 2; k++)
            class[k] += mix(
                thread->chain[k],
                thread->name); /* how often a waiting loop has iterated is no part of the class */
        for (int word = 0; thread->yielding && word < THREAD_WORDS; word++)
            for (int k = 0; k < 2; k++)
                class[k] += mix(thread->chain[k] + (uint64_t)word, thread->yields_to.word[word]);
    }
}

void thread_saw_end(thread_id ended)
{
    for (int i = 0; i < 2; i++)
        ex.me->chain[i] = mix(ex.me->chain[i], ex.threads[ended].chain[i]);
}

void thread_depends(thread_id later, thread_id earlier)
{
    struct thread *thread = &ex.threads[later];
    if (later == ex.current)
        step_touched(earlier, TOUCH_FOLLOWS);
    else if (thread->signals.handlers ==
                 NULL || /* else its handler comes first, unless it is struck */
             step_strikes(&rt.trace.steps[rt.trace.count - 1]))
        step_touched(later, TOUCH_LEADS);
    for (int i = 0; i < 2; i++)
        thread->chain[i] = mix(thread->chain[i], ex.threads[earlier].chain[i]);
}

/* Such steps also change what other threads are about to do, and not all reductions know all orders
 * of these: 1 << enum unreduced. */
static const uint32_t unreduced_by[OP_STRIKES] = {
    [OP_STRIKES_PROCESSES] = 1 << UNREDUCED_PROCESSES,
    [OP_STRIKES_CANCELLATION] = 1 << UNREDUCED_CANCELLATION,
    [OP_STRIKES_SIGNALS] = 1 << UNREDUCED_SIGNALS,
    [OP_STRIKES_TIMERS] = 1 << UNREDUCED_TIMERS,
};

/* A thread that gave way was held back by the steps of all others. In a handler, what it interrupts
 * may end meanwhile. */
__attribute__((cold)) void step_note_whole(struct step *step, bool inside)
{
    uint32_t number = rt.trace.count - 1;
    step->touches_end = trace_touches_begin(rt.trace.steps, number);
    step->op.before = 0;
    step_note_time(&step->op, step->thread);
    const struct thread *thread = &ex.threads[step->thread];
    if (op_depends_on_all(step->op.kind) || thread->yielding || thread->atomic_depth > 0 ||
        thread->signals.handlers != NULL)
        step->flags |= STEP_ALL;
    if (thread->await.turn != NOT_AWAITING)
        await_touch(&thread->await);
    if (inside)
        step->flags |= STEP_INSIDE;
    bool trusted = thread->atomic_depth & TRUSTED &&
                   !rt.strategy->traits.disciplined; /* its blocks go on there */
    if (!rt.strategy->traits.reduces_strikes)
        the_board->flight.unreduced |=
            unreduced_by[op_traits(step->op.kind)->strikes] | (uint32_t)trusted << UNREDUCED_TRUST;
    if (step->op.kind == OP_SLEEP)
        step_moves_time();
}
