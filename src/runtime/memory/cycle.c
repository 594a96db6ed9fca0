#include "runtime/memory/cycle.h"

#include <string.h>

#include "base/mix.h"
#include "runtime/scheduler.h"

enum { TURNS = 256, LOOK_BACK = 400, VALUES_MAX = 64, SURE = 100, WINDOW = 600 };

struct turns {
    uint64_t balance; /* sum over what is held */
    uint64_t changes; /* that lasted */
    uint32_t seen;    /* how often the same livelock was come to */
    bool watches;     /* values of atomics are known since then, so that writing them need not last */
    uint32_t window;  /* steps until which it does, or from which on it will again */
    uint32_t sure, shortest; /* how often a livelock was come to by looking only; its best turn */
    uint64_t values;  /* sum over what atomics hold */
    uint32_t value_count;
    struct {
        uint32_t object;
        uint64_t weight; /* in the sum */
    } written[VALUES_MAX];
    /* The states met last. They are compared, not put in places by their hash, which is another one on
     * the other carrier: what is found must not depend on that. */
    uint32_t visits;
    uint32_t ends[TURNS]; /* steps up to there */
    uint64_t states[TURNS];
};

enum effect { LASTS, TAKES, GIVES, NOTHING, STORES };

static const uint8_t effects[OP_KINDS] = {
    [OP_MUTEX_LOCK] = TAKES,      [OP_MUTEX_TRYLOCK] = TAKES,  [OP_MUTEX_TIMEDLOCK] = TAKES,
    [OP_MUTEX_UNLOCK] = GIVES,    [OP_RWLOCK_READ] = TAKES,    [OP_RWLOCK_TRYREAD] = TAKES,
    [OP_RWLOCK_UNREAD] = GIVES,   [OP_RWLOCK_WRITE] = TAKES,   [OP_RWLOCK_TRYWRITE] = TAKES,
    [OP_RWLOCK_UNWRITE] = GIVES,  [OP_SPIN_LOCK] = TAKES,      [OP_SPIN_TRYLOCK] = TAKES,
    [OP_SPIN_UNLOCK] = GIVES,     [OP_SEM_WAIT] = TAKES,       [OP_SEM_TRYWAIT] = TAKES,
    [OP_SEM_POST] = GIVES,        [OP_YIELD] = NOTHING,        [OP_SLEEP] = NOTHING,
    [OP_ATOMIC_LOAD] = NOTHING,   [OP_READ] = NOTHING,         [OP_SEM_VALUE] = NOTHING,
    [OP_ATOMIC_STORE] = STORES,   [OP_ATOMIC_UPDATE] = STORES, [OP_ATOMIC_COMPARE] = STORES,
};

/* Kinds whose outcome is a value that others may have written. */
static const bool looks[OP_KINDS] = {
    [OP_ATOMIC_LOAD] = true,    [OP_ATOMIC_UPDATE] = true, [OP_ATOMIC_COMPARE] = true,
    [OP_READ] = true,           [OP_SEM_VALUE] = true,
};

static enum effect effect_of(uint8_t kind)
{
    enum effect effect = effects[kind];
    return effect == STORES && !ex.turns->watches ? LASTS : effect;
}

/* Kinds whose local state is known when they fail. */
static const bool anchored[OP_KINDS] = {
    [OP_MUTEX_TRYLOCK] = true, [OP_RWLOCK_TRYREAD] = true, [OP_RWLOCK_TRYWRITE] = true,
    [OP_SPIN_TRYLOCK] = true,  [OP_SEM_TRYWAIT] = true,    [OP_ATOMIC_COMPARE] = true,
    [OP_ATOMIC_UPDATE] = true,
};

/* Who takes a lock gives it back, but a semaphore is anybody's; readers and writers are not one. */
static uint64_t weight(const struct op *op, thread_id thread)
{
    bool anybody = op->kind == OP_SEM_WAIT || op->kind == OP_SEM_TRYWAIT || op->kind == OP_SEM_POST;
    bool reader = op->kind == OP_RWLOCK_READ || op->kind == OP_RWLOCK_TRYREAD ||
                  op->kind == OP_RWLOCK_UNREAD;
    return mix(mix(op->object, anybody ? NO_THREAD : thread), reader) | 1;
}

void cycle_step(thread_id thread, const struct op *op, uint16_t choice)
{
    struct turns *turns = ex.turns;
    struct thread *who = &ex.threads[thread];
    who->position = mix(who->position, (uint64_t)op->kind | (uint64_t)choice << 8 |
                                           (uint64_t)op->object << 32);
    switch (effect_of(op->kind)) {
    case LASTS: turns->changes++; return;
    case TAKES: turns->balance += weight(op, thread); return;
    case GIVES: turns->balance -= weight(op, thread); return;
    case NOTHING:
    case STORES: return;
    }
}

void cycle_stored(uint32_t object, const volatile void *address, size_t size)
{
    struct turns *turns = ex.turns;
    uint64_t value = 0;
    uint32_t at = 0;
    if (!turns->watches)
        return;
    while (at < turns->value_count && turns->written[at].object != object)
        at++;
    if (at == VALUES_MAX || size > sizeof value) {
        turns->changes++;
        return;
    }
    if (at == turns->value_count) {
        turns->value_count++;
        turns->written[at].object = object;
        turns->written[at].weight = 0;
    }
    memcpy(&value, (const void *)address, size);
    turns->values -= turns->written[at].weight;
    turns->written[at].weight = mix(mix(object, size), value);
    turns->values += turns->written[at].weight;
}

static void begin(void)
{
    ex.turns = execution_take(sizeof *ex.turns);
    memset(ex.turns, 0, sizeof *ex.turns);
    THREADS_EACH(thread, &ex.live)
        ex.threads[thread].position = ex.threads[thread].await.wrote = 0;
}

static uint64_t state_now(void)
{
    struct turns *turns = ex.turns;
    uint64_t state = mix(turns->balance + turns->values, ex.current);
    THREADS_EACH(thread, &ex.live) {
        struct thread *who = &ex.threads[thread];
        turns->changes += who->await.wrote;
        who->await.wrote = 0;
        state = mix(state, who->position + thread);
        for (uint32_t i = 0; who->yielding && i < sizeof who->yields_to / 8; i++)
            state = mix(state, who->yields_to.word[i] + 1);
    }
    return mix(state, turns->changes);
}

static bool is_failed(const struct step *step)
{
    return step->flags & STEP_FAILED;
}

/* No step from `from` on changes what another of them fails at. */
static bool tries_stay_vain(uint32_t from)
{
    const struct step *steps = rt.trace.steps;
    for (uint32_t i = from; i < rt.trace.count; i++)
        for (uint32_t k = from; is_failed(&steps[i]) && k < rt.trace.count; k++)
            if (steps[k].op.object == steps[i].op.object && !is_failed(&steps[k]) &&
                effects[steps[k].op.kind] != NOTHING)
                return false;
    return true;
}

/* What a step from `from` on has seen is written by no other thread there: in every order of these
 * steps it sees the same. */
static bool looks_stay_vain(uint32_t from)
{
    const struct step *steps = rt.trace.steps;
    for (uint32_t i = from; i < rt.trace.count; i++)
        for (uint32_t k = from; looks[steps[i].op.kind] && k < rt.trace.count; k++)
            if (steps[k].op.object == steps[i].op.object && steps[k].thread != steps[i].thread &&
                !is_failed(&steps[k]) && effects[steps[k].op.kind] != NOTHING)
                return false;
    return true;
}

/* Whoever can run at some step takes one: nobody is left who could end it. */
static bool all_take_part(uint32_t from)
{
    thread_set able = {0}, took = {0};
    for (uint32_t i = from; i < rt.trace.count; i++) {
        const struct step *step = &rt.trace.steps[i];
        thread_set_add(&took, step->thread);
        THREADS_EACH(thread, &step->enabled)
            thread_set_add(&able, thread);
        if (step->op.choices > 1)
            return false;
    }
    THREADS_EACH(thread, &able)
        if (!thread_set_has(&took, thread))
            return false;
    return true;
}

/* Who is left out by the cycle comes first now: a sampled execution must get on. */
static void let_others(uint32_t from)
{
    struct thread *me = ex.me;
    thread_set others = ex.live;
    for (uint32_t i = from; i < rt.trace.count; i++)
        thread_set_remove(&others, rt.trace.steps[i].thread);
    if (thread_set_is_empty(&others) || me->yielding)
        return;
    me->yielding = true;
    me->yields_to = others;
    ex.yielding_count++;
}

static void came_back(uint32_t from)
{
    uint32_t length = rt.trace.count - from;
    if (length <= LOOK_BACK && all_take_part(from) && tries_stay_vain(from) &&
        looks_stay_vain(from)) {
        if (ex.turns->seen++ > 0) /* not at once: code without instrumentation may have counted */
            thread_livelock(length);
    } else if (rt.strategy->choose == choose_default) {
        execution_end(OUTCOME_CUT_CYCLE);
    } else {
        let_others(from);
    }
}

/* Where the state was met before, after so many steps; 0: nowhere. */
static uint32_t visit(const struct step *step)
{
    ex.me->position = mix(ex.me->anchor, (uint64_t)step->op.kind | (uint64_t)step->op.object << 32);
    struct turns *turns = ex.turns;
    uint64_t state = state_now();
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
    if (ex.turns == NULL)
        begin();
    else if (effect_of(step->op.kind) == TAKES)
        ex.turns->balance -= weight(&step->op, ex.current);
    else if (effect_of(step->op.kind) == LASTS)
        ex.turns->changes--;
    if (!anchored[step->op.kind] || me->anchor == 0 || !the_board->options.instrumented)
        return;
    uint32_t from = visit(step);
    if (from != 0)
        came_back(from);
}

/* The loop may come to its end yet if others run, or if these steps come in another order. */
static void looked_again(uint32_t from)
{
    uint32_t length = rt.trace.count - from;
    if (!all_take_part(from)) {
        let_others(from);
    } else if (length <= LOOK_BACK && tries_stay_vain(from) && looks_stay_vain(from)) {
        struct turns *turns = ex.turns;
        if (turns->sure++ == 0 || length < turns->shortest)
            turns->shortest = length;
        /* not at once: code without instrumentation may have counted */
        if (turns->sure > SURE && (length == turns->shortest || turns->sure > 2 * SURE))
            thread_goes_round(length);
    } else if (rt.strategy->choose == choose_default) {
        execution_end(OUTCOME_CUT_CYCLE);
    }
}

/* Now and then for a while, each time after twice as many steps: a loop that never ends is still there
 * then, and others are not slowed down by much. */
static bool is_watching(struct turns *turns)
{
    uint32_t now = rt.trace.count;
    if (turns->watches && now > turns->window) {
        turns->watches = false;
        turns->window = 2 * now;
    } else if (!turns->watches && now >= turns->window) {
        turns->watches = true;
        turns->window = now + WINDOW;
        turns->value_count = turns->visits = 0;
        turns->values = 0;
    }
    return turns->watches;
}

void cycle_looked(void)
{
    if (ex.me->anchor == 0 || !the_board->options.instrumented)
        return;
    if (ex.turns == NULL)
        begin();
    if (!is_watching(ex.turns))
        return;
    uint32_t from = visit(&rt.trace.steps[rt.trace.count - 1]);
    if (from == 0)
        return;
    ex.turns->window = rt.trace.count + WINDOW;
    looked_again(from);
}

static bool same(const struct step *a, const struct step *b)
{
    return a->thread == b->thread && a->op.kind == b->op.kind && a->op.object == b->op.object;
}

uint32_t cycle_length(void)
{
    uint32_t count = rt.trace.count, most = count < LOOK_BACK ? count : LOOK_BACK;
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
