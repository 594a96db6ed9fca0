/* Very many accesses without a step. The thread may wait for a plain variable to change: then that
 * read must become a step. Or it may never come to an operation: then some of its accesses do. */
#include "runtime/engine/flight.h"
#include "runtime/engine/local_state.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/memory.h"

enum {
    SUSPICION = 4096,
    PATIENCE_AGAIN = 1 << 20,
    ROUNDS_MAX = 16,    /* of so many accesses in one step: then the next one becomes a step */
    STEPS_DUE_FREE = 8, /* after so many of these steps the thread gives way at each */
    STEPS_DUE_MAX = 64, /* after so many it never comes to an operation */
};

/* The next access is as any other again. */
static void no_step_is_due(void)
{
    rt.progress.spin.due = false;
    rt.plain_points = rt.memory.site_count > 0 || rt.points == POINTS_ALL;
    memory_quicken();
}

/* The first of these steps take no order away. A thread that makes more may never come to an
 * operation: the others come before it goes on. */
void patience_is_due(uintptr_t site)
{
    struct thread *me = ex.me;
    no_step_is_due();
    uint32_t count = busy_counts_step();
    if (count > STEPS_DUE_MAX)
        busy_leave(site);
    if ((count <= STEPS_DUE_FREE && !busy_takes_long()) || me->yielding)
        return;
    busy_gives_way();
    me->yielding = true;
    me->yields_to = ex.live;
    thread_set_remove(&me->yields_to, ex.current);
    ex.yielding_count++;
    step_is_unreduced(UNREDUCED_YIELDS);
}

static bool is_as_before(const struct local *local)
{
    local_compare();
    return local_hash(local) == rt.progress.spin.hash;
}

/* The thread may never come to an operation, and others could run: its next access becomes a step.
 * The number of accesses decides, not time, so that a replay does the same. */
static void come_to_step(void)
{
    if (++rt.progress.spin.rounds < ROUNDS_MAX || ex.me->atomic_depth > 0 || !busy_others_can_run())
        return;
    rt.progress.spin.rounds = 0;
    rt.progress.spin.due = rt.plain_points = true;
    memory_quicken();
}

/* Many accesses and no step: is the thread waiting for a plain variable to change? Then that read
 * must become a step. */
void patience_lost(const volatile void *address, bool writes, const struct local *local)
{
    rt.progress.patience = 1;
    if (rt.progress.spin.step != rt.trace.count)
        rt.progress.spin.left = rt.progress.spin.rounds = 0;
    rt.progress.spin.step = rt.trace.count;
    if (rt.progress.spin.left == 0) {
        rt.progress.spin.hash = local_hash(local);
        rt.progress.spin.site = local->site;
        rt.progress.spin.left = SUSPICION;
        return;
    }
    rt.progress.spin.left--;
    if (writes && !in_local_state(address))
        rt.progress.spin.left = 0;
    else if (!writes && local->site == rt.progress.spin.site && is_as_before(local)) {
        rt.progress.spin.left = 0;
        if (rt.points == POINTS_SYNC) {
            finding_add(FINDING_HANG, "a loop that waits for a plain variable", local->site, 0);
            execution_fail();
        }
        site_promote(local->site);
        the_board->flight.spun = 1;
        execution_end(OUTCOME_CUT_STRATEGY);
    }
    if (rt.progress.spin.left == 0) {
        rt.progress.patience = PATIENCE_AGAIN;
        the_board->flight.accesses++;
        come_to_step();
    }
}
