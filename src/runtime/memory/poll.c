#include "runtime/memory/poll.h"

#include "base/mix.h"
#include "runtime/memory/await.h"
#include "runtime/scheduler.h"

enum { POLLS = 4 };

struct poll { /* a lock that was taken since the thread last wrote */
    uintptr_t site;
    uint64_t state;
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

void poll_again(const struct local *local)
{
    struct thread *me = ex.me;
    if (!the_board->options.instrumented || rt.options->plain_loops)
        return;
    if (me->polls == NULL)
        me->polls = execution_take(POLLS * sizeof *me->polls);
    uint32_t count = me->await.wrote / WROTE_POLL, at = 0;
    uint64_t state = local_hash(local);
    while (at < count && me->polls[at].site != local->site)
        at++;
    if (at == POLLS)
        return;
    if (at == count)
        me->await.wrote += WROTE_POLL;
    else if (me->polls[at].state == state && state != 0 && turn_changed_nothing(local->site))
        give_way(me);
    me->polls[at] = (struct poll){.site = local->site, .state = state};
}
