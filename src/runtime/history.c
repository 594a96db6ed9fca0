/* What a step adds to the history of its thread and of the objects it touches. Equivalent executions give
 * the same histories, and so the same class. */
#include "base/mix.h"
#include "runtime/object.h"
#include "runtime/scheduler.h"

void step_failed(void)
{
    rt.trace.steps[rt.trace.count - 1].flags |= STEP_FAILED;
}

void step_note(uint64_t fact)
{
    struct thread *me = ex.me;
    me->chain[0] = mix(me->chain[0], fact);
    me->chain[1] = mix(me->chain[1], fact ^ 0x589965cc75374cc3);
}

/* What a step adds to the class: its own history and that of the last changes it saw. */
void step_touch(uint32_t object, enum op_access access)
{
    struct object_state *state = object_state(object);
    struct thread *me = ex.me;
    bool writes = access == OP_ACCESS_WRITE;
    for (int i = 0; i < 2; i++) {
        uint64_t seen = state->write[i] + (writes ? state->reads[i] : 1);
        uint64_t chain = mix(me->chain[i] + me->fact, seen);
        me->chain[i] = chain;
        ex.class[i] += chain;
        state->write[i] = writes ? chain : state->write[i];
        state->reads[i] = writes ? 0 : state->reads[i] + chain;
    }
    if (writes) {
        state->version++;
        me->await.count = 0;
        me->await.turn = NOT_AWAITING;
    }
}

void class_so_far(uint64_t class[2])
{
    for (int k = 0; k < 2; k++)
        class[k] = mix(ex.class[k], ex.time);
    if (ex.me->atomic_depth > 0) /* nobody else can run as long as it can */
        class[0] += ex.me->name, class[1] += ex.me->name;
    for (thread_id i = 0; i < ex.thread_count; i++) {
        const struct thread *thread = &ex.threads[i];
        for (int k = 0; k < 2; k++)
            class[k] += mix(thread->name + i, thread->chain[k]); /* who comes next goes by number */
        for (int word = 0; thread->yielding && word < THREAD_WORDS; word++)
            for (int k = 0; k < 2; k++)
                class[k] += mix(thread->chain[k] + (uint64_t)word, thread->yields_to.word[word]);
    }
}

void thread_depends(thread_id later, thread_id earlier)
{
    struct thread *thread = &ex.threads[later];
    for (int i = 0; i < 2; i++)
        thread->chain[i] = mix(thread->chain[i], ex.threads[earlier].chain[i]);
}
