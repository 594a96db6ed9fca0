#include "runtime/progress/stuck.h"

#include "base/mix.h"
#include "runtime/engine/able.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/progress/await.h"
#include "runtime/progress/endless.h"
#include "runtime/progress/vain.h"

enum { TURNING_STEPS = 1000 }; /* at the end of an execution that is too long, for a livelock */

static _Noreturn void stuck(bool livelock, const char *why, uint32_t cycle)
{
    uint64_t places = 0; /* the same in any order of threads */
    THREADS_EACH(thread, &ex.live)
    places += mix(site_name(ex.pending[thread].site), ex.pending[thread].kind);
    thread_id first = thread_set_next(&ex.live, 0);
    struct finding *finding = finding_add(livelock ? FINDING_LIVELOCK : FINDING_DEADLOCK, why,
                                          ex.pending[first].site, places);
    if (finding != NULL) {
        finding->thread = NO_THREAD;
        finding->places[0].thread = first;
        finding->cycle = cycle;
    }
    execution_end(livelock ? OUTCOME_LIVELOCK : OUTCOME_DEADLOCK);
}

static void doubt(struct thread *who)
{
    who->await.reads[0] = who->await.reads[who->await.turn]; /* the pending read begins it */
    who->await.turn = NOT_AWAITING;
    who->await.count = 0;
}

/* A reduction doubts when all enabled threads make futile iterations; then others may go on here.
 */
bool stuck_doubts_again(thread_id thread)
{
    bool waits = rt.options->replay && ex.threads[thread].await.turn != NOT_AWAITING;
    if (waits)
        doubt(&ex.threads[thread]);
    return waits;
}

/* Something that we do not see (libc's own state, uninstrumented code) may let a waiting thread go
 * on: before a livelock is reported each gets one more turn. */
bool stuck_doubts(void)
{
    THREADS_EACH(thread, &ex.live)
    if (ex.threads[thread].vain && vain_is_over(thread))
        execution_end(OUTCOME_CUT_STRATEGY);
    THREADS_EACH(thread, &ex.live)
    {
        struct thread *who = &ex.threads[thread];
        if ((who->await.turn == NOT_AWAITING && !who->vain) || who->progress.doubted)
            continue;
        who->progress.doubted = true;
        if (!ex.progress.doubts)
            ex.progress.doubts_from = rt.trace.count;
        ex.progress.doubts = true;
        if (who->vain)
            vain_forget(thread);
        if (who->await.turn == NOT_AWAITING)
            return true;
        doubt(who);
        return true;
    }
    return false;
}

static bool changes_nothing(const struct step *step)
{
    return op_gives_way(step->op.kind) || op_access(step->op.kind) == OP_ACCESS_READ ||
           step->flags & STEP_FAILED;
}

/* Turns that were taken in doubt have shown nothing: they say nothing about the order of steps. If
 * they did, a thread went on that could not. */
void stuck_settle(bool livelock)
{
    if (!ex.progress.doubts)
        return;
    for (uint32_t i = ex.progress.doubts_from; i < rt.trace.count && livelock; i++)
        livelock = changes_nothing(&rt.trace.steps[i]) || vain_step_is_harmless(i);
    if (!livelock)
        step_is_unreduced(UNREDUCED_UNSEEN);
    for (uint32_t i = ex.progress.doubts_from; i < rt.trace.count && livelock; i++)
        rt.trace.steps[i].flags |= STEP_DOUBTED;
}

/* The last steps, if they are one turn of each thread that waits for values; else 0. */
static uint32_t awaiting_cycle(void)
{
    uint32_t left[THREADS_MAX] = {0}, total = 0;
    THREADS_EACH(thread, &ex.live)
    {
        const struct await *await = &ex.threads[thread].await;
        if (await->turn != NOT_AWAITING)
            total += left[thread] = await->count - await->turn;
    }
    if (total > rt.trace.count)
        return 0;
    for (uint32_t i = rt.trace.count - total; i < rt.trace.count; i++)
        if (left[rt.trace.steps[i].thread]-- == 0)
            return 0;
    return total;
}

_Noreturn void stuck_all(void)
{
    busy_end();
    if (thread_set_is_empty(&ex.live)) {
        rt.trace.status = 0;
        execution_end(OUTCOME_FINISHED);
    }
    bool livelock = false;
    THREADS_EACH(thread, &ex.live)
    livelock |= ex.threads[thread].await.turn != NOT_AWAITING || ex.threads[thread].vain;
    stuck(livelock,
          livelock ? "threads wait for values that nobody will change"
                   : "threads wait for each other or for nobody",
          livelock ? awaiting_cycle() : 0);
}

_Noreturn void stuck_at_watchdog(void)
{
    ex.live = ex.stuck; /* timers do not wait */
    stuck(false,
          "threads wait for each other or for nobody, until a timer's signal ends the program", 0);
}

_Noreturn void thread_livelock(uint32_t cycle)
{
    stuck(true, "threads retry forever, and nothing changes what they wait for", cycle);
}

_Noreturn void thread_goes_round(uint32_t cycle)
{
    stuck(true, "threads loop forever, and nothing that they do leads out", cycle);
}

_Noreturn void thread_can_go_round(uint32_t cycle)
{
    stuck(true, FINDING_LOOP_OF_STATES, cycle);
}

/* The last steps were nothing but turns of loops that give way, each like the one before. */
static bool turns_for_ever(void)
{
    uint32_t given[THREADS_MAX] = {0};
    if (rt.trace.count < TURNING_STEPS || !the_board->options.instrumented)
        return false;
    for (uint32_t i = rt.trace.count - TURNING_STEPS; i < rt.trace.count; i++) {
        const struct step *step = &rt.trace.steps[i];
        if (!changes_nothing(step) || !thread_set_has(&ex.live, step->thread))
            return false;
        given[step->thread] += op_gives_way(step->op.kind);
    }
    THREADS_EACH(thread, &ex.live)
    if (able_can_run(thread) &&
        (given[thread] == 0 || await_turns(&ex.threads[thread].await) < given[thread]))
        return false;
    return true;
}

/* A thread that has just handled its signals, and could have run then, was merely not let go on. */
static bool could_go_on(uint32_t step)
{
    const struct step *before = &rt.trace.steps[step - 1], *now = &rt.trace.steps[step];
    return before->op.kind == OP_SIGNAL_HANDLE && thread_set_has(&now->enabled, before->thread);
}

/* Only timers go on, whose signals are handled and let no thread go on. */
static bool only_timers_go_on(void)
{
    if (rt.trace.count <= TURNING_STEPS)
        return false;
    for (uint32_t i = rt.trace.count - TURNING_STEPS; i < rt.trace.count; i++) {
        uint8_t kind = rt.trace.steps[i].op.kind;
        if ((kind != OP_TIMER_EXPIRE && kind != OP_SIGNAL_HANDLE) || could_go_on(i))
            return false;
    }
    return true;
}

_Noreturn void stuck_in_steps(void)
{
    if (only_timers_go_on())
        stuck(false, "threads wait for each other or for nobody, and only timers go on", 0);
    if (turns_for_ever())
        stuck(true, "threads give way to each other forever, and nothing changes", cycle_length());
    unended_note(rt.trace.count);
    execution_end(OUTCOME_CUT_STEPS);
}
