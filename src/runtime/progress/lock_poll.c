#include "runtime/progress/lock_poll.h"

#include "base/mix.h"
#include "runtime/engine/local_state.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/progress/vain.h"

enum { POLLS = 6 };

struct poll { /* where it took a lock or may have given way since the thread last wrote */
    uintptr_t site;
    uint64_t state;
    uint32_t step;
};

static uint64_t weight(const struct op *op)
{
    return mix(op->object, op->kind == OP_RWLOCK_READ || op->kind == OP_RWLOCK_UNREAD) | 1;
}

/* Since its last step at this site the thread was alone, and has given back all that it took. */
static bool turn_changed_nothing(uintptr_t site)
{
    uint64_t held = 0;
    for (uint32_t i = rt.trace.count; i-- > 0;) {
        const struct step *step = &rt.trace.steps[i];
        enum op_turn effect = op_traits(step->op.kind)->poll;
        if (step->thread != ex.current || effect == OP_TURN_LASTS || step->flags & STEP_FAILED)
            return false;
        if (effect != OP_TURN_LOOKS)
            held += effect == OP_TURN_TAKES ? weight(&step->op) : -weight(&step->op);
        if (step->op.site == site)
            return held == 0;
    }
    return false;
}

static void give_way(struct thread *me)
{
    if (me->yielding)
        return;
    me->yielding = YIELDS_IN_LOOP;
    me->yields_to = ex.live;
    thread_set_remove(&me->yields_to, ex.current);
    ex.yielding_count++;
    step_is_unreduced(UNREDUCED_POLLS);
}

/* Where it was met before since the thread last wrote; else it is noted. */
static struct poll *meet(uintptr_t site, uint64_t state)
{
    struct thread *me = ex.me;
    await_clear(&me->await, WROTE_IN_TURN);
    if (me->progress.polls == NULL)
        me->progress.polls = execution_take(POLLS * sizeof *me->progress.polls);
    uint32_t count = me->await.wrote / WROTE_POLL, at = 0;
    while (at < count && me->progress.polls[at].site != site)
        at++;
    if (at == POLLS)
        return NULL;
    struct poll *poll = &me->progress.polls[at];
    if (at < count) {
        local_compare();
        if (poll->state == state)
            return poll;
    } else {
        me->await.wrote += WROTE_POLL;
    }
    *poll = (struct poll){.site = site, .state = state, .step = rt.trace.count};
    return NULL;
}

void poll_again(const struct local *local)
{
    uint64_t state = local_hash(local);
    if (!the_board->options.instrumented || rt.options->plain_loops || ex.me->vain || state == 0)
        return;
    struct poll *poll = meet(local->site, state);
    if (poll == NULL)
        return;
    if (!(rt.turns_skipped && vain_goes_round(poll->step, rt.trace.count, UNREDUCED_POLLS)) &&
        turn_changed_nothing(local->site))
        give_way(ex.me);
    poll->step = rt.trace.count;
}

void poll_enter(const struct local *local, enum poll_call call)
{
    struct thread *me = ex.me;
    uint64_t state = local_hash(local);
    me->progress.sleeps_again = NOT_AGAIN;
    if (rt.options->plain_loops || me->vain || state == 0)
        return;
    struct poll *poll = meet(local->site, state);
    /* A loop that waits for a value shows before it yields for the third time. */
    bool early =
        call == POLL_YIELDS && (me->progress.yield_site != local->site || me->progress.yields == 0);
    if (poll == NULL || early)
        return;
    if (call == POLL_SLEEPS)
        me->progress.sleeps_again = poll->step;
    else
        vain_goes_round(poll->step, rt.trace.count,
                        call == POLL_YIELDS ? UNREDUCED_YIELDS : UNREDUCED_TIMEOUTS);
    poll->step = rt.trace.count;
}

bool poll_slept(void)
{
    uint32_t from = ex.me->progress.sleeps_again;
    if (!rt.turns_skipped || from == NOT_AGAIN)
        return false;
    while (from < rt.trace.count && rt.trace.steps[from].thread != ex.current)
        from++;
    return vain_goes_round(from + 1, rt.trace.count, UNREDUCED_TIMEOUTS);
}
