/* Histories: each step adds to that of its thread and of the objects it touches. Equivalent
 * executions give the same histories, and so the same class. */
#ifndef RUNTIME_ENGINE_HISTORY_H
#define RUNTIME_ENGINE_HISTORY_H

#include "base/mix.h"
#include "runtime/engine/object.h"

/* The outcome of the data choice of the step being carried out. */
static inline uint16_t step_choice(void)
{
    return rt.trace.steps[rt.trace.count - 1].choice;
}
void step_failed(void); /* it changed nothing */
/* Sets the kind of a step that shows only when it is carried out. */
void step_becomes(enum op_kind kind);
void step_timed_out(void); /* the wait on a condition variable ends without a signal */
/* For reductions: whether it can time out, and whether that matters to anybody else. */
void step_note_time(struct op *op, thread_id thread);
/* The step read or changed this object: for the class, and for threads that wait for a change. */
void step_touch(uint32_t object, enum op_access access);

/* For strategies that reduce: the same without the class. */
void step_touched(uint32_t object, enum touch_access access);
/* For tests: the step that is carried out is of the kind that --fault breaks in this column. */
bool step_is_broken(enum op_fault column);
void step_depends_on_all(void);
void step_is_unreduced(enum unreduced cause); /* not all orders with it are known to them */
/* How the object was before the step being carried out, as struct op tells it. */
static inline void step_before(uint32_t before)
{
    if (unlikely(rt.notes))
        rt.trace.steps[rt.trace.count - 1].op.before = before;
}
/* For reductions: a step that may depend on more than it touches. `inside`: of a section that
 * nobody else can run in. */
void step_note_whole(struct step *step, bool inside);
/* The step depends on the time, or the time on the step. */
void step_sees_time(void);
void step_moves_time(void);

/* A history when something was seen of an object's. */
static inline __attribute__((always_inline)) uint64_t chain_after(uint64_t chain, uint64_t fact,
                                                                  uint64_t seen, int i)
{
    return mix_chain(chain, fact + (seen << 23 | seen >> 41), i == 0 ? MIX_FIRST : MIX_SECOND);
}

/* step_touch for callers that have the object's state. */
static inline __attribute__((always_inline)) void touch_order(struct object_state *state,
                                                              bool writes)
{
    struct execution *now = &ex;
    struct thread *me = now->me;
    for (int i = 0; i < 2; i++) {
        uint64_t seen = state->write[i] + (writes ? state->reads[i] : 1);
        uint64_t chain = chain_after(me->chain[i], me->fact, seen, i);
        me->chain[i] = chain;
        now->class[i] += chain;
        if (writes)
            state->write[i] = chain;
        state->reads[i] = writes ? 0 : state->reads[i] + chain;
    }
    if (unlikely(rt.notes))
        step_touched(state->number, writes ? TOUCH_WRITES : TOUCH_READS);
}

/* touch_order, and threads that wait for a change of the object see it. */
static inline void touch(struct object_state *state, enum op_access access)
{
    struct thread *me = ex.me;
    touch_order(state, op_access_writes(access));
    if (access == OP_ACCESS_WRITE) {
        state->version++;
        me->await.count = 0;
        me->await.turn = NOT_AWAITING;
    }
}

/* Something else that tells equivalent executions apart. */
static inline void note(struct thread *thread, uint64_t fact)
{
    thread->chain[0] = mix_chain(thread->chain[0], fact, MIX_FIRST);
    thread->chain[1] = mix_chain(thread->chain[1], fact, MIX_SECOND);
}
void step_note(uint64_t fact);
/* Of all steps so far: the class, and what else the rest of the execution depends on. */
void class_so_far(uint64_t class[2]);

void thread_depends(thread_id later, thread_id earlier); /* e.g. a join on the joined thread */
void thread_saw_end(thread_id ended); /* the same where the step could have come before its end */

#endif
