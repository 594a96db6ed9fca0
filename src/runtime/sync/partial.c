#include "runtime/sync/partial.h"

#include "base/mix.h"
#include "runtime/engine/able.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"

/* The only thread that could let it go on; NO_THREAD: none in particular, or it need not wait. */
static thread_id awaited(thread_id thread)
{
    enum op_kind kind = ex.pending[thread].kind;
    if (!op_acquires(kind) && op_traits(kind)->waits != OP_WAITS_THREAD)
        return NO_THREAD;
    return thread_is_waiting(thread) ? model_owner(thread) : NO_THREAD;
}

/* Whether whom it waits for waits, too, and so on in a circle, or has ended and left a lock
 * locked. */
static bool waits_for_ever(thread_id thread)
{
    thread_id at = thread;
    for (uint32_t i = 0; i <= ex.thread_count; i++) {
        thread_id next = awaited(at);
        if (next == NO_THREAD)
            return false;
        if (ex.threads[next].state == THREAD_ENDED)
            return ex.pending[at].kind != OP_JOIN;
        at = next;
    }
    return true;
}

void deadlock_among_some(void)
{
    uint64_t places = 0;
    thread_id first = NO_THREAD;
    if (!detecting(DETECT_DEADLOCK))
        return;
    THREADS_EACH(thread, &ex.live)
    {
        if (thread == ex.current || !waits_for_ever(thread))
            continue;
        thread_set_add(&ex.stuck, thread);
        places += mix(site_name(ex.pending[thread].site), ex.pending[thread].kind);
        if (first == NO_THREAD)
            first = thread;
    }
    if (first == NO_THREAD)
        return;
    struct finding *finding =
        finding_add(FINDING_DEADLOCK, "some threads wait forever, while others go on to the end",
                    ex.pending[first].site, places);
    if (finding != NULL) {
        finding->thread = NO_THREAD;
        finding->places[0].thread = first;
    }
    execution_fail();
}
