/* compile: LOCAL_HERE */
/* Giving way to the others. Registers of the program that our callers use are on the stack above
 * this frame, the others still hold their values: together they are its local state. */
#include "runtime/engine/scheduler.h"
#include "runtime/progress/await.h"

void thread_give_way(enum unreduced cause)
{
    struct thread *me = ex.me;
    LOCAL_HERE(local);
    if (rt.options->plain_loops)
        return;
    await_turn(&local);
    me->yielding = YIELDS_BY_CALL;
    me->yields_to = ex.live;
    thread_set_remove(&me->yields_to, ex.current);
    ex.yielding_count++;
    step_is_unreduced(cause); /* the others come first, whatever they do */
}
