/* What a step adds to the history of its thread and of the objects it touches. Equivalent executions give
 * the same histories, and so the same class. */
#include "base/mix.h"
#include "runtime/memory/cycle.h"
#include "runtime/object.h"
#include "runtime/scheduler.h"

void step_failed(void)
{
    rt.trace.steps[rt.trace.count - 1].flags |= STEP_FAILED;
    cycle_failed();
}

void step_note(uint64_t fact)
{
    note(ex.me, fact);
}

void step_touch(uint32_t object, enum op_access access)
{
    touch(object_state(object), access);
}

void thread_depends(thread_id later, thread_id earlier)
{
    struct thread *thread = &ex.threads[later];
    for (int i = 0; i < 2; i++)
        thread->chain[i] = mix(thread->chain[i], ex.threads[earlier].chain[i]);
}
