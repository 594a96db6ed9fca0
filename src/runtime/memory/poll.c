#include "runtime/memory/poll.h"

#include "base/mix.h"
#include "runtime/memory/await.h"
#include "runtime/memory/vain.h"
#include "runtime/scheduler.h"

enum { POLLS = 4 };

struct poll { /* a lock that was taken since the thread last wrote */
    uintptr_t site;
    uint64_t state;
    uint32_t step;
};

/* What a turn may consist of: taking (1) and giving back (-1), and what changes nothing (2). What is tried in
 * vain is the cycle detector's. */
static const int8_t balance[OP_KINDS] = {
    [OP_MUTEX_LOCK] = 1,  [OP_MUTEX_UNLOCK] = -1,  [OP_RWLOCK_READ] = 1,  [OP_RWLOCK_UNREAD] = -1,
    [OP_RWLOCK_WRITE] = 1, [OP_RWLOCK_UNWRITE] = -1, [OP_SPIN_LOCK] = 1,  [OP_SPIN_UNLOCK] = -1,
    [OP_ATOMIC_LOAD] = 2, [OP_READ] = 2,           [OP_SEM_VALUE] = 2,
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
        int8_t sign = balance[step->op.kind];
        if (step->thread != ex.current || sign == 0 || step->flags & STEP_FAILED)
            return false;
        if (sign != 2)
            held += sign > 0 ? weight(&step->op) : -weight(&step->op);
        if (step->op.site == site)
            return held == 0;
    }
    return false;
}

static void give_way(struct thread *me)
{
    if (me->yielding)
        return;
    me->yielding = true;
    me->yields_to = ex.live;
    thread_set_remove(&me->yields_to, ex.current);
    ex.yielding_count++;
    step_is_unreduced();
}

/* Where it was met before since the thread last wrote; else it is noted. */
static struct poll *meet(uintptr_t site, uint64_t state)
{
    struct thread *me = ex.me;
    await_clear(&me->await, WROTE_IN_TURN);
    if (me->polls == NULL)
        me->polls = execution_take(POLLS * sizeof *me->polls);
    uint32_t count = me->await.wrote / WROTE_POLL, at = 0;
    while (at < count && me->polls[at].site != site)
        at++;
    if (at == POLLS)
        return NULL;
    struct poll *poll = &me->polls[at];
    if (at < count && poll->state == state)
        return poll;
    if (at == count)
        me->await.wrote += WROTE_POLL;
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
    if (!(rt.turns_skipped && vain_goes_round(poll->step, rt.trace.count)) && turn_changed_nothing(local->site))
        give_way(ex.me);
    poll->step = rt.trace.count;
}

bool poll_gave_way(const struct local *local, bool at_once)
{
    uint64_t state = local_hash(local);
    if (!rt.turns_skipped || rt.options->plain_loops || state == 0)
        return false;
    struct poll *poll = meet(ex.pending[ex.current].site, state);
    if (poll == NULL || !at_once)
        return false;
    bool known = vain_goes_round(poll->step, rt.trace.count - 1);
    poll->step = rt.trace.count;
    return known;
}
