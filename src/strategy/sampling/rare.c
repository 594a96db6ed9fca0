/* Returns to situations that few executions have reached, and continues from there at random.
 *
 * A situation is the set of operations that the threads have pending (not which threads, nor how
 * many), and the operation that wrote each object last. The first way to each situation is kept.
 * Most executions repeat the way to a rare situation and continue by partial order sampling; the
 * others sample from the start. So a bug that needs several unlikely turns in a row is reached one
 * turn at a time: the idea of importance splitting, and of searches that return before they explore
 * (Ecoffet, Huizinga, Lehman, Stanley and Clune 2021). */
#include <string.h>

#include "base/mix.h"
#include "strategy/alternative.h"
#include "strategy/sampling/events.h"
#include "strategy/sampling/sampler.h"

extern const struct strategy strategy_rare;

enum {
    SITUATIONS_MAX = 1 << 19,
    INDEX = 2 * SITUATIONS_MAX, /* slots of the index */
    DECISIONS_MAX = 1 << 22,
    LOOKS_MAX = 2048,  /* limit of situations of one execution: the journal has no room for more */
    OBJECTS = 1 << 12, /* slots for the objects of an execution, by the low bits of their numbers */
    CANDIDATES = 8,    /* situations that are drawn; the rarest of them is the goal */
    FRESH = 3,
    OF = 10, /* FRESH of OF executions begin at the start */
};
#define NO_STEP UINT32_MAX

struct situation {
    uint64_t key;
    uint32_t first, count; /* decisions on the way to it */
    uint32_t step;         /* length of the way, in steps */
    uint32_t visits;
};

struct slot {
    uint32_t epoch, number; /* number of a situation; in another epoch the slot is free */
};

struct writes { /* Last writes in the execution that is learnt from. */
    uint64_t stamp, sum;
    struct {
        uint64_t stamp, term;
    } last[OBJECTS];
};

struct pendings {                /* Pending operations in the execution that is learnt from. */
    uint64_t event[THREADS_MAX]; /* event of each thread; 0: none */
    uint32_t first[THREADS_MAX]; /* first step of each thread */
    uint32_t thread_count;       /* number of threads created so far */
    uint64_t sum;                /* sum over the distinct events */
};

struct rare {
    struct sampler sampler;
    struct events *events;
    struct situation *situations; /* entries beyond now.situation_count are free */
    struct decision *decisions;   /* entries beyond now.decision_count are free */
    struct slot *index;
    struct writes *writes;
    uint32_t *following; /* by step: the next step of the same thread */
    struct {
        uint32_t epoch; /* all is forgotten when no room is left; then the next epoch begins */
        uint32_t situation_count, decision_count;
        uint32_t start; /* number of steps for which the execution in flight repeats a known way */
    } now;
};

static void rare_open(void *state, const struct strategy_options *options, struct arena *arena,
                      struct journal *journal)
{
    struct rare *rare = state;
    memset(rare, 0, sizeof *rare);
    sampler_open(&rare->sampler, options, journal);
    rare->events = arena_take(arena, sizeof *rare->events);
    rare->situations = arena_take(arena, SITUATIONS_MAX * sizeof *rare->situations);
    rare->decisions = arena_take(arena, DECISIONS_MAX * sizeof *rare->decisions);
    rare->index = arena_take(arena, INDEX * sizeof *rare->index);
    rare->writes = arena_take(arena, sizeof *rare->writes);
    rare->following = arena_take(arena, options->steps_max * sizeof *rare->following);
    rare->now.epoch = 1;
}

static const struct situation *pick(const struct rare *rare, struct rng *rng)
{
    const struct situation *best = NULL;
    for (int i = 0; i < CANDIDATES; i++) {
        const struct situation *other =
            &rare->situations[rng_below(rng, rare->now.situation_count)];
        if (best == NULL || other->visits < best->visits)
            best = other;
    }
    return best;
}

static bool rare_plan(void *state, struct schedule *next)
{
    struct rare *rare = state;
    if (!sampler_plan(&rare->sampler, next))
        return false;
    struct rng rng = {.state = ~next->seed};
    if (rare->now.situation_count > 0 && rng_below(&rng, OF) >= FRESH) {
        const struct situation *to = pick(rare, &rng);
        CHECK(to->count <= next->prefix_capacity);
        memcpy(next->prefix, rare->decisions + to->first, to->count * sizeof *next->prefix);
        next->prefix_count = to->count;
        next->hint = to->step;
    }
    journal_save(rare->sampler.journal, &rare->now, sizeof rare->now);
    rare->now.start = (uint32_t)next->hint;
    return true;
}

static struct decision rare_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct rare *rare = pilot->state;
    if (at->step < pilot->schedule->hint)
        return decision_nth(at, 0); /* the default, as when the way was found */
    events_look(rare->events, pilot, at);
    return sampler_decide(pilot, at, events_take(rare->events, at, &at->enabled));
}

static uint64_t event_of(const struct op *op)
{
    return mix(op->site + op->object, op->kind) | 1;
}

static bool is_pending(const struct pendings *pendings, uint64_t event)
{
    for (uint32_t i = 0; i < pendings->thread_count; i++)
        if (pendings->event[i] == event)
            return true;
    return false;
}

static void pends(struct pendings *pendings, thread_id thread, uint64_t event)
{
    uint64_t old = pendings->event[thread];
    pendings->event[thread] = 0;
    if (old != 0 && !is_pending(pendings, old))
        pendings->sum -= mix(old, 3);
    if (event != 0 && !is_pending(pendings, event))
        pendings->sum += mix(event, 3);
    pendings->event[thread] = event;
}

static uint64_t event_at(const struct trace *trace, thread_id thread, uint32_t step)
{
    if (step != NO_STEP)
        return event_of(&trace->steps[step].op);
    return thread_set_has(&trace->waiting, thread) ? event_of(&trace->pending[thread]) : 0;
}

static void create(struct pendings *pendings, const struct trace *trace)
{
    if (pendings->thread_count == THREADS_MAX)
        return;
    thread_id thread = (thread_id)pendings->thread_count++;
    pends(pendings, thread, event_at(trace, thread, pendings->first[thread]));
}

static void begin(struct rare *rare, struct pendings *pendings, const struct trace *trace)
{
    memset(pendings, 0, sizeof *pendings);
    memset(pendings->first, 0xff, sizeof pendings->first);
    for (uint32_t i = trace->count; i-- > 0;) {
        thread_id thread = trace->steps[i].thread;
        rare->following[i] = pendings->first[thread];
        pendings->first[thread] = i;
    }
    create(pendings, trace);
    /* The stamp is never saved: a repeated transaction starts with an empty table, too. */
    rare->writes->stamp++;
    rare->writes->sum = 0;
}

/* Notes the last write of an object. Objects that share a slot count as one. */
static void write_happens(struct writes *writes, const struct step *step)
{
    const struct op *op = &step->op;
    if (op->object == NO_OBJECT || op_access(op->kind) != OP_ACCESS_WRITE ||
        op_concerns_thread(op->kind) || step->flags & STEP_FAILED)
        return;
    uint32_t at = op->object % OBJECTS;
    if (writes->last[at].stamp == writes->stamp)
        writes->sum -= writes->last[at].term;
    writes->last[at].stamp = writes->stamp;
    writes->last[at].term = mix(event_of(op), 5);
    writes->sum += writes->last[at].term;
}

static void step_happens(struct rare *rare, struct pendings *pendings, const struct trace *trace,
                         uint32_t i)
{
    const struct step *step = &trace->steps[i];
    write_happens(rare->writes, step);
    while (step->thread >= pendings->thread_count) /* threads that no thread created */
        create(pendings, trace);
    pends(pendings, step->thread, event_at(trace, step->thread, rare->following[i]));
    if (step->op.kind == OP_CREATE && !(step->flags & STEP_FAILED))
        create(pendings, trace);
}

static struct slot *find(const struct rare *rare, uint64_t key)
{
    for (uint32_t at = (uint32_t)key % INDEX;; at = (at + 1) % INDEX) {
        struct slot *slot = &rare->index[at];
        if (slot->epoch != rare->now.epoch || rare->situations[slot->number].key == key)
            return slot;
    }
}

/* Notes a situation. Returns whether it is new. */
static bool meet(struct rare *rare, uint64_t key, uint32_t step, uint32_t first, uint32_t count)
{
    struct journal *journal = rare->sampler.journal;
    struct slot *slot = find(rare, key);
    if (slot->epoch == rare->now.epoch) {
        struct situation *known = &rare->situations[slot->number];
        journal_save(journal, &known->visits, sizeof known->visits);
        known->visits += known->visits < UINT32_MAX;
        return false;
    }
    journal_save(journal, slot, sizeof *slot);
    slot->epoch = rare->now.epoch;
    slot->number = rare->now.situation_count++;
    rare->situations[slot->number] =
        (struct situation){.key = key, .first = first, .count = count, .step = step, .visits = 1};
    return true;
}

static bool is_default(const struct trace *trace, uint32_t step)
{
    return trace->steps[step].choice == 0 &&
           trace->steps[step].thread == default_thread(trace, step);
}

static bool has_room(const struct rare *rare, uint32_t steps)
{
    return rare->now.situation_count + LOOKS_MAX <= SITUATIONS_MAX &&
           rare->now.decision_count + steps <= DECISIONS_MAX;
}

static void forget(struct rare *rare)
{
    rare->now.epoch++;
    rare->now.situation_count = rare->now.decision_count = 0;
}

static void rare_learn(void *state, const struct trace *trace)
{
    struct rare *rare = state;
    struct pendings pendings;
    if (trace->outcome == OUTCOME_DIVERGED)
        return;
    journal_save(rare->sampler.journal, &rare->now, sizeof rare->now);
    if (!has_room(rare, trace->count))
        forget(rare);
    begin(rare, &pendings, trace);
    uint32_t first = rare->now.decision_count, looks = 0, count = 0, kept = 0;
    for (uint32_t i = 0; i < trace->count && looks < LOOKS_MAX; i++) {
        const struct step *step = &trace->steps[i];
        if (step->alternatives > 1) {
            uint64_t key = mix(pendings.sum, rare->writes->sum);
            if (i >= rare->now.start && looks++ < LOOKS_MAX && meet(rare, key, i, first, count))
                kept = count;
            if (!is_default(trace, i))
                rare->decisions[first + count++] =
                    (struct decision){.step = i, .thread = step->thread, .choice = step->choice};
        }
        step_happens(rare, &pendings, trace, i);
    }
    rare->now.decision_count += kept;
}

static void rare_watch(void *state, const struct trace *trace)
{
    struct rare *rare = state;
    journal_save(rare->sampler.journal, &rare->now, sizeof rare->now);
    rare->now.start = 0;
    rare_learn(rare, trace);
}

/* Forgets all situations: the steps of the ways to them have other numbers now. */
static void rare_more_points(void *state)
{
    struct rare *rare = state;
    journal_save(rare->sampler.journal, &rare->now, sizeof rare->now);
    forget(rare);
}

static struct progress rare_progress(const void *state)
{
    return sampler_progress();
}

static bool rare_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct rare *rare = state;
    return sampler_split(&rare->sampler, &strategy_rare, out);
}

static bool rare_adopt(void *state, const struct subtree *subtree)
{
    struct rare *rare = state;
    return sampler_adopt(&rare->sampler, subtree);
}

const struct strategy strategy_rare = {
    .name = "rare",
    .summary = "back to situations that were seldom met, and on from there at random",
    .state_size = sizeof(struct rare),
    .open = rare_open,
    .plan = rare_plan,
    .choose = rare_choose,
    .learn = rare_learn,
    .watch = rare_watch,
    .more_points = rare_more_points,
    .progress = rare_progress,
    .sharing.split = rare_split,
    .sharing.adopt = rare_adopt,
};
