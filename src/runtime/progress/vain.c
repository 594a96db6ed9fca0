#include "runtime/progress/vain.h"

#include "base/mix.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/symmetry.h"

static bool touches(uint32_t step, uint32_t object, bool writes)
{
    for (uint32_t i = trace_touches_begin(rt.trace.steps, step);
         i < rt.trace.steps[step].touches_end; i++) {
        struct touch touch = rt.trace.touches[i];
        if (touch.object == object &&
            (touch.access == TOUCH_WRITES || (!writes && touch.access == TOUCH_READS)))
            return true;
    }
    return false;
}

/* A wait that times out and goes to sleep again has slept all the while: to sleep gives the mutex
 * back. Who was signalled has used that up. */
static enum op_turn effect_of(uint32_t number)
{
    const struct step *step = &rt.trace.steps[number];
    if (op_depends_on_all(step->op.kind) || step->op.choices > 1)
        return OP_TURN_LASTS;
    if (op_gives_way(step->op.kind) || step->flags & STEP_FAILED)
        return OP_TURN_LOOKS;
    if (step->op.kind == OP_COND_WAKE && !touches(number, step->op.object, true))
        return OP_TURN_LOOKS; /* the mutex was taken when it timed out */
    return op_traits(step->op.kind)->turn;
}

bool vain_step_is_harmless(uint32_t step)
{
    return effect_of(step) != OP_TURN_LASTS;
}

static uint32_t lock_of(const struct step *step)
{
    return step->op.kind == OP_COND_WAIT ? step->op.second : step->op.object;
}

/* Whether a thread has found the lock taken between these steps, or has looked at its waiters
 * meanwhile. */
static bool is_noticed(uint32_t takes, uint32_t gives)
{
    const struct step *steps = rt.trace.steps;
    uint32_t object = lock_of(&steps[takes]), condition = steps[takes].op.second;
    for (uint32_t i = takes + 1; i < gives; i++) {
        if (steps[i].thread == ex.current)
            continue;
        if (touches(i, object, !(steps[i].flags & STEP_FAILED)))
            return true;
        if (steps[takes].op.kind == OP_COND_WAKE && touches(i, condition, false))
            return true;
    }
    return false;
}

/* Where the lock that is taken in this step is given back; UINT32_MAX: it is not. */
static uint32_t given_back(uint32_t takes)
{
    const struct step *steps = rt.trace.steps;
    for (uint32_t i = takes + 1; i < rt.trace.count; i++)
        if (steps[i].thread == ex.current && lock_of(&steps[i]) == lock_of(&steps[takes]) &&
            effect_of(i) != OP_TURN_LOOKS)
            return effect_of(i) == OP_TURN_GIVES ? i : UINT32_MAX;
    return UINT32_MAX;
}

enum turn_is_what { LASTING, IN_VAIN, UNKNOWN };

/* Whether the step moves the clock for a thread that looks at it, or for timers. */
static bool time_matters(const struct step *step)
{
    bool timed = op_is_timed(step->op.kind) || step->op.kind == OP_FILE_POLL ||
                 step->op.kind == OP_COND_WAKE;
    return timed && (the_board->tally.clock_matters || ex.armed_count > 0);
}

static enum turn_is_what judge(uint32_t from, uint32_t to)
{
    uint32_t taken = 0, given = 0;
    bool timed_out = false; /* and has not got its mutex yet */
    for (uint32_t i = from; i < to; i++) {
        const struct step *step = &rt.trace.steps[i];
        if (step->thread != ex.current)
            continue;
        enum op_turn effect = effect_of(i);
        if (effect == OP_TURN_LASTS || time_matters(step) || step->flags & (STEP_ALL | STEP_INSIDE))
            return UNKNOWN;
        bool wakes = step->op.kind == OP_COND_WAKE;
        if (wakes && !timed_out && !(step->flags & STEP_TIMED_OUT))
            return LASTING;
        timed_out = wakes && effect == OP_TURN_LOOKS;
        given += effect == OP_TURN_GIVES;
        if (effect != OP_TURN_TAKES)
            continue;
        taken++;
        uint32_t gives = given_back(i);
        if (gives == UINT32_MAX)
            return UNKNOWN;
        if (is_noticed(i, gives))
            return LASTING;
    }
    return taken == given ? IN_VAIN : UNKNOWN;
}

bool vain_goes_round(uint32_t from, uint32_t to, enum unreduced loops)
{
    struct thread *me = ex.me;
    bool can = rt.turns_skipped && the_board->options.instrumented && !symmetry_is_on() &&
               me->atomic_depth == 0 && me->signals.handlers == NULL;
    enum turn_is_what turn = can ? judge(from, to) : UNKNOWN;
    if (turn == UNKNOWN)
        step_is_unreduced(rt.turns_skipped ? UNREDUCED_TURNS : loops);
    if (turn != IN_VAIN)
        return turn == LASTING;
    me->vain = true;
    me->progress.vain_from = from;
    the_board->flight.vain = 1;
    return true;
}

void vain_forget(thread_id thread)
{
    struct thread *who = &ex.threads[thread];
    who->vain = false;
    who->time.timeout_site = who->progress.yield_site =
        0; /* it does not give way for what it did before */
    thread_pends(thread);
}

/* A futile iteration changes nothing, nor does one that was taken in doubt. */
static bool changes(uint32_t step, uint32_t object)
{
    const struct thread *who = &ex.threads[rt.trace.steps[step].thread];
    const struct step *taken = &rt.trace.steps[step];
    bool in_vain = (who->vain && step >= who->progress.vain_from) ||
                   (ex.progress.doubts && step >= ex.progress.doubts_from);
    bool rewrites =
        op_access_failed(taken->op.kind) == OP_ACCESS_REWRITE && taken->flags & STEP_FAILED;
    return !in_vain && !rewrites && touches(step, object, true);
}

bool vain_is_over(thread_id thread)
{
    const struct step *steps = rt.trace.steps;
    uint8_t kind = ex.pending[thread].kind;
    if (kind == OP_SIGNAL_HANDLE || kind == OP_CANCELLED)
        return true;
    for (uint32_t i = ex.threads[thread].progress.vain_from; i < rt.trace.count; i++)
        for (uint32_t k = trace_touches_begin(steps, i);
             steps[i].thread == thread && k < steps[i].touches_end; k++) {
            uint8_t access = rt.trace.touches[k].access;
            bool object = access == TOUCH_READS || access == TOUCH_WRITES;
            for (uint32_t j = i + 1; object && j < rt.trace.count; j++)
                if (steps[j].thread != thread && changes(j, rt.trace.touches[k].object))
                    return true;
        }
    return false;
}
