/* A failed assertion, a crash or a heap error ends an execution at once. What the other threads
 * would have done then is not seen: an access of theirs that races with one of the failed thread
 * would never become a scheduling point, and the search would miss the orders in which it comes
 * first. So the other threads run on behind the end, in the default order, and the race check looks
 * at them. The races that it sees only become scheduling points; a later execution reports them.
 *
 * Nothing else of this may show: the trace, its class and the findings are those of the failure.
 * The failed thread stays where it is, so that nobody can join it or take the locks that it holds.
 */
#include "runtime/worker/aftermath.h"

#include <string.h>

#include "runtime/engine/runtime.h"
#include "runtime/engine/scheduler.h"

enum { STEPS_MORE = 1000 };

void aftermath_open(void)
{
    rt.worker.aftermath.on = false;
    rt.worker.aftermath.killed = the_board->aftermath != 0; /* a process died in one */
    the_board->aftermath = 0;
}

static bool others_can_run(void)
{
    return ex.me->state == THREAD_STARTING || !thread_is_last();
}

static bool can_show_races(void)
{
    return rt.race_check && rt.points == POINTS_RACE && the_board->options.instrumented &&
           !rt.options->points_fixed && !rt.options->replay && rt.options->target == 0 &&
           !rt.worker.aftermath.killed && ex.process.processes == NULL && ex.me->atomic_depth == 0;
}

void aftermath_begin(void)
{
    struct aftermath *kept = &rt.worker.aftermath;
    bool barred = kept->barred;
    kept->barred = false;
    if (barred || !can_show_races() || !others_can_run())
        return;
    kept->on = true;
    the_board->aftermath = 1;
    memcpy(kept->flight, (char *)&the_board->flight + CHECKPOINT_FLIGHT, sizeof kept->flight);
    kept->count = rt.trace.count;
    kept->capacity = rt.trace.capacity;
    kept->notes = rt.notes;
    kept->reduces = rt.reduces;
    kept->asks = rt.asks;
    kept->turns_skipped = rt.turns_skipped;
    kept->checkpoint_wanted = rt.checkpoint_wanted;
    rt.notes = rt.reduces = rt.asks = rt.turns_skipped = rt.checkpoint_wanted = false;
    rt.by_default = true;
    rt.next_listed = NOTHING_LISTED;
    rt.sign_of_life = &kept->steps;
    if (rt.trace.capacity > kept->count + STEPS_MORE)
        rt.trace.capacity = kept->count + STEPS_MORE;
    if (ex.due > rt.trace.capacity)
        ex.due = rt.trace.capacity;
    rt.running = true;
    thread_leave();
}

bool aftermath_ends(void)
{
    struct aftermath *kept = &rt.worker.aftermath;
    if (!kept->on)
        return false;
    kept->on = false;
    the_board->aftermath = 0;
    memcpy((char *)&the_board->flight + CHECKPOINT_FLIGHT, kept->flight, sizeof kept->flight);
    rt.trace.count = kept->count;
    rt.trace.capacity = kept->capacity;
    rt.notes = kept->notes;
    rt.reduces = kept->reduces;
    rt.asks = kept->asks;
    rt.turns_skipped = kept->turns_skipped;
    rt.checkpoint_wanted = kept->checkpoint_wanted;
    return true;
}
