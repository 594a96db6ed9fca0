/* How an execution ends, from anywhere in the program: what the trace says of it goes to the
 * board. */
#include "runtime/engine/scheduler.h"

#include "base/mix.h"
#include "base/os.h"
#include "runtime/arch/x86_64/signals.h"
#include "runtime/engine/able.h"
#include "runtime/engine/debugger.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/object.h"
#include "runtime/engine/stranger.h"
#include "runtime/engine/symmetry.h"
#include "runtime/engine/upper.h"
#include "runtime/engine/values.h"

/* Whether the operation touches more than its object, which shows only when it is carried out. */
static bool is_wide(const struct op *op)
{
    bool memory = op->kind >= OP_ATOMIC_LOAD && op->kind <= OP_WRITE;
    bool uses = op->kind >= OP_MUTEX_LOCK && op->kind <= OP_ONCE_DONE; /* what may be freed */
    bool called = op->kind != OP_FREE && !memory && rt.plain_points && site_is_promoted(op->site);
    return called || ((memory || uses) && touches_more(op->object));
}

static bool awaits_much(thread_id thread)
{
    const struct await *await = &ex.threads[thread].await;
    return await->turn != NOT_AWAITING && await_is_wide(await, ex.pending[thread].object);
}

/* The object that a thread is about to use may be gone, or never have been there. */
static bool object_is_there(thread_id thread)
{
    const struct op *op = &ex.pending[thread];
    if (op->kind >= OP_ATOMIC_LOAD && op->kind <= OP_WRITE)
        return op->object != NO_OBJECT &&
               memory_probe((const void *)the_board->objects[op->object].address);
    const void *object = ex.threads[thread].mutex;
    return op->kind == OP_JOIN || object == NULL || memory_probe(object);
}

/* Threads that are still there take part in a reduction, too. */
static void note_end(struct board_trace *trace, enum outcome outcome)
{
    bool ends = outcome == OUTCOME_FINISHED || outcome == OUTCOME_FAILED;
    stuck_settle(outcome == OUTCOME_LIVELOCK);
    if (ends && rt.trace.count > 0 && !thread_set_is_empty(&ex.live))
        rt.trace.steps[rt.trace.count - 1].flags |= STEP_ENDS;
    THREADS_EACH(thread, &ex.live)
    {
        if (thread == ex.current && ends)
            continue;
        if (symmetry_holds(thread)) /* its elder stands before the same */
            continue;
        if (ex.threads[thread].vain)
            continue;
        thread_set_add(&trace->alive, thread);
        trace->pending[thread] = ex.pending[thread];
        trace->pending[thread].before = object_is_there(thread) ? model_before(thread) : 0;
        if (ex.pending[thread].kind == OP_EXIT && !able_can_run(thread))
            trace->pending[thread].before = EXIT_WAITS;
        step_note_time(&trace->pending[thread], thread);
        if (is_wide(&ex.pending[thread]) || awaits_much(thread) ||
            ex.threads[thread].signals.handlers != NULL)
            trace->pending[thread].size = OP_WIDE;
    }
}

static void write_down(enum outcome outcome)
{
    for (thread_id i = 0; i < ex.thread_count; i++) /* steps that touch nothing, too */
        for (int k = 0; k < 2; k++)
            ex.class[k] += mix(ex.threads[i].name, ex.threads[i].chain[k]);
    struct board_trace *trace = &the_board->trace[the_board->which];
    trace->count = rt.trace.count;
    trace->outcome = outcome;
    trace->status = rt.trace.status;
    trace->thread_count = ex.thread_count;
    trace->fingerprint = ex.fingerprint;
    trace->class[0] = ex.class[0];
    trace->class[1] = ex.class[1];
    trace->waiting = trace->alive = (thread_set){0};
    bool noted =
        rt.notes || rt.strategy->reduces_now !=
                        NULL; /* for whom reduces now and then the end is always the same */
    if (noted)
        note_end(trace, outcome);
    if (outcome == OUTCOME_FINISHED)
        return;
    THREADS_EACH(thread, &ex.live)
    {
        if (thread == ex.current && outcome == OUTCOME_FAILED)
            continue;
        if (!thread_set_is_empty(&ex.stuck) && !thread_set_has(&ex.stuck, thread))
            continue;
        thread_set_add(&trace->waiting, thread);
        if (!noted)
            trace->pending[thread] = ex.pending[thread];
        trace->owner[thread] = NO_THREAD;
        trace->readers[thread] = (thread_set){0};
        if (!object_is_there(thread))
            continue;
        trace->owner[thread] = model_owner(thread);
        trace->readers[thread] = model_readers(thread);
    }
}

static _Noreturn void leave(void)
{
    if (rt.forked) {
        strangers_refuse();
        os_exit(0);
    }
    rt.worker.call = CALL_ENDED;
    fiber_go(rt.worker.driver_sp, ex.me->fs == rt.worker.driver_fs ? 0 : rt.worker.driver_fs);
}

_Noreturn void execution_end(enum outcome outcome)
{
    if (unlikely(aftermath_ends())) {
        rt.running = false;
        if (ex.process.processes != NULL)
            processes_end();
        leave();
    }
    bool foreseen = rt.reduces && rt.strategy->traits.foresees && rt.schedule.check_step == 0 &&
                    (outcome == OUTCOME_FINISHED || outcome == OUTCOME_FAILED);
    bool early = rt.next_listed != NOTHING_LISTED && !rt.options->replay && !foreseen;
    if (early && outcome != OUTCOME_DIVERGED && outcome != OUTCOME_CUT_STEPS &&
        outcome != OUTCOME_CUT_STRATEGY && outcome != OUTCOME_CUT_CYCLE) {
        bool listed = rt.position < rt.schedule.prefix_count;
        divergence_note_end(listed ? &rt.schedule.prefix[rt.position] : NULL);
        outcome = OUTCOME_DIVERGED;
    }
    if (unlikely(rt.options->debugged))
        debug_end();
    rt.running = false;
    if (unlikely(ex.process.processes != NULL))
        processes_end();
    if (unlikely(ex.snapshot.made != NULL))
        process_remove_made();
    if (symmetry_is_on())
        symmetry_end();
    busy_note(outcome);
    write_down(outcome);
    if (rt.options->detail) {
        values_end();
        if (outcome <= OUTCOME_FAILED && !rt.in_signal)
            leaks_note();
        objects_describe();
    }
    if (outcome == OUTCOME_FAILED)
        aftermath_begin();
    leave();
}

_Noreturn void execution_fail(void)
{
    execution_end(OUTCOME_FAILED);
}

/* The running thread was in the middle of a decision: it cannot go on. */
_Noreturn void execution_fail_in(thread_id thread)
{
    rt.worker.aftermath.barred = true;
    thread_blame(thread);
    execution_fail();
}
