/* Loops that try, back off and try again: they change memory and change it back, so they do not
 * merely wait (await.h), and may never end. An execution that comes back to a state in which it was
 * at an earlier failed try is found here, at once; other loops only in long executions (watch.h).
 *
 * The state is known by what all threads do at it: where each is (the local state at its last
 * failed try and its steps since), what locks are held (a sum over those taken and given back), and
 * that nothing else was written in between. */
#include <string.h>

#include "base/mix.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/progress/round.h"
#include "runtime/progress/stuck.h"

enum { TURNS = 256 };

struct turns {
    uint64_t balance; /* sum over what is held */
    uint64_t changes; /* that lasted */
    uint32_t seen;    /* how often the same livelock was come to */
    /* The states met last. They are compared, not put in places by their hash, which is another one
     * on the other carrier: what is found must not depend on that. */
    uint32_t visits;
    uint32_t ends[TURNS]; /* steps up to there */
    uint64_t states[TURNS];
};

/* A thread that takes a lock gives it back, but any thread may post a semaphore; readers and
 * writers are not one. */
static uint64_t weight(const struct op *op, thread_id thread)
{
    bool anybody = op->kind == OP_SEM_WAIT || op->kind == OP_SEM_TRYWAIT || op->kind == OP_SEM_POST;
    bool reader =
        op->kind == OP_RWLOCK_READ || op->kind == OP_RWLOCK_TRYREAD || op->kind == OP_RWLOCK_UNREAD;
    return mix(mix(op->object, anybody ? NO_THREAD : thread), reader) | 1;
}

static void count(thread_id thread, const struct op *op)
{
    struct turns *turns = ex.progress.turns;
    switch ((enum op_turn)op_traits(op->kind)->cycle) {
    case OP_TURN_LASTS:
        turns->changes++;
        return;
    case OP_TURN_TAKES:
        turns->balance += weight(op, thread);
        return;
    case OP_TURN_GIVES:
        turns->balance -= weight(op, thread);
        return;
    case OP_TURN_LOOKS:
        return;
    }
}

/* The step turned out to change nothing, or something else. */
static void count_less(thread_id thread, const struct op *op)
{
    if (op_traits(op->kind)->cycle == OP_TURN_TAKES)
        ex.progress.turns->balance -= weight(op, thread);
    else if (op_traits(op->kind)->cycle == OP_TURN_LASTS)
        ex.progress.turns->changes--;
}

void cycle_step(thread_id thread, const struct op *op, uint16_t choice)
{
    struct thread *who = &ex.threads[thread];
    who->progress.position =
        mix(who->progress.position,
            (uint64_t)op->kind | (uint64_t)choice << 8 | (uint64_t)op->object << 32);
    count(thread, op);
}

void cycle_becomes(enum op_kind kind)
{
    struct op op = rt.trace.steps[rt.trace.count - 1].op;
    if (ex.progress.turns == NULL)
        return;
    count_less(ex.current, &op);
    op.kind = (uint8_t)kind;
    count(ex.current, &op);
}

static void begin(void)
{
    ex.progress.turns = execution_take(sizeof *ex.progress.turns);
    ex.careful |= CAREFUL_BY_PROGRAM;
    memset(ex.progress.turns, 0, sizeof *ex.progress.turns);
    THREADS_EACH(thread, &ex.live)
    ex.threads[thread].progress.position = 0,
    await_clear(&ex.threads[thread].await, WROTE_IN_CYCLE);
}

static uint64_t cycle_state(void)
{
    struct turns *turns = ex.progress.turns;
    uint64_t state = mix(turns->balance, ex.current);
    THREADS_EACH(thread, &ex.live)
    {
        struct thread *who = &ex.threads[thread];
        turns->changes += (who->await.wrote & WROTE_IN_CYCLE) != 0;
        await_clear(&who->await, WROTE_IN_CYCLE);
        state = mix(state, who->progress.position + thread);
        for (uint32_t i = 0; who->yielding && i < sizeof who->yields_to / 8; i++)
            state = mix(state, who->yields_to.word[i] + 1);
    }
    return mix(state, turns->changes);
}

static void came_back(uint32_t from)
{
    uint32_t length = rt.trace.count - from;
    if (length <= ROUND_MAX && round_takes_all(from) && round_fails_again(from) &&
        round_sees_same(from)) {
        if (ex.progress.turns->seen++ >
            0) /* not at once: code without instrumentation may have counted */
            thread_livelock(length);
    } else if (rt.strategy->choose == choose_default) {
        execution_end(OUTCOME_CUT_CYCLE);
    } else {
        round_let_others(from);
    }
}

/* Where the state was met before, after so many steps; 0: nowhere. */
static uint32_t visit(const struct step *step)
{
    ex.me->progress.position =
        mix(ex.me->progress.anchor, (uint64_t)step->op.kind | (uint64_t)step->op.object << 32);
    struct turns *turns = ex.progress.turns;
    if (turns->visits > 0)
        local_compare();
    uint64_t state = cycle_state();
    uint32_t count = turns->visits < TURNS ? turns->visits : TURNS, at = 0, from = 0;
    while (at < count && turns->states[at] != state)
        at++;
    if (at < count)
        from = turns->ends[at];
    else
        at = turns->visits++ % TURNS;
    turns->states[at] = state;
    turns->ends[at] = rt.trace.count;
    return from;
}

void cycle_failed(void)
{
    const struct step *step = &rt.trace.steps[rt.trace.count - 1];
    const struct thread *me = ex.me;
    if (rt.options->plain_loops)
        return;
    if (ex.progress.turns == NULL)
        begin();
    else
        count_less(ex.current, &step->op);
    if (!op_traits(step->op.kind)->anchored || me->progress.anchor == 0 ||
        !the_board->options.instrumented)
        return;
    uint32_t from = visit(step);
    if (from != 0)
        came_back(from);
}

static bool same(const struct step *a, const struct step *b)
{
    return a->thread == b->thread && a->op.kind == b->op.kind && a->op.object == b->op.object;
}

uint32_t cycle_length(void)
{
    uint32_t count = rt.trace.count, most = count < ROUND_MAX ? count : ROUND_MAX;
    const struct step *end = rt.trace.steps + count;
    for (uint32_t length = 1; length <= most / 2; length++) {
        uint32_t i = 1;
        while (i <= most - length && same(end - i, end - i - length))
            i++;
        if (i > most - length)
            return length;
    }
    return 0;
}
