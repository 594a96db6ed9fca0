/* A portfolio for unknown programs: two systematic searches, which prove something, and samplers,
 * which find bugs that need many preemptions.
 *
 * At first four, then five members take turns, so that a bug that one of them finds costs at most
 * five times as many executions. With many threads DELAY has the first turns of SYSTEMATIC:
 * executions without a preemption are then very many, those with one delay few. All members learn
 * from the first executions. Later each member gets steps in proportion to the classes that it
 * showed first of late. The systematic searches get at least half, and nearly everything while the
 * samplers show nothing new. Time plays no part, so that the same seed gives the same search.
 *
 * The search ends when a systematic one ends, and claims what that claims. The reduction gets as
 * much as SYSTEMATIC, and half of all while it seems to get through, in long runs whose executions
 * share their first steps. It gives up where the program does what it cannot reduce. With several
 * workers, each has samplers with seeds of its own, SYSTEMATIC is shared, and the first worker has
 * the reduction. */
#include <string.h>

#include "base/mix.h"
#include "strategy/bounded/bounded.h"
#include "strategy/seen.h"
#include "strategy/strategy.h"

extern const struct strategy strategy_auto, strategy_preempt, strategy_surw, strategy_rf,
    strategy_rare, strategy_few, strategy_pct, strategy_delay, strategy_dpor;

enum {
    SYSTEMATIC, /* the first member */
    SURW,
    RF,
    PCT,
    FEW,
    RARE,
    DELAY,
    REDUCED, /* the last member: the reduction */
    MEMBERS,
    TOLD = 16,        /* executions that all members learn from */
    SHORT = 8,        /* decisions of a short execution */
    MANY = 4,         /* threads that count as many */
    LEARNING = 64,    /* executions in which RARE has no turns: it needs a past to go back to */
    EARLY = 512,      /* executions in which members take turns */
    IN_VAIN = 16,     /* samples in a row without a new class that end the turns */
    OVERHEAD = 32,    /* cost of beginning an execution, in steps */
    EPOCH = 256,      /* executions after which the recent counts are halved */
    FLOOR = 4,        /* each member counts as having found at least one class in so many */
    AHEAD = 15,       /* ratio of systematic to sampled steps while the samples show nothing new */
    NEAR = 5,         /* one part in so many of its tree explored: then REDUCED has long runs */
    RUN = 64,         /* executions of such a run; the other members then have as many */
    ROOM = 7 << 9,    /* bytes for the states of all members */
    ARENA_PARTS = 16, /* each sampler has one of so many parts of the arena */
};
#define CLASSES_BYTES ((size_t)1 << 30)

static const struct strategy *const members[MEMBERS] = {
    [SYSTEMATIC] = &strategy_preempt,
    [SURW] = &strategy_surw,
    [RF] = &strategy_rf,
    [PCT] = &strategy_pct,
    [FEW] = &strategy_few,
    [RARE] = &strategy_rare,
    [DELAY] = &strategy_delay,
    [REDUCED] = &strategy_dpor,
};

/* Turns at the start. All members learn from the first execution. Where it has few decisions, there
 * are few executions with one preemption, so SYSTEMATIC has three of five turns. */
static const uint8_t first_turns[] = {SYSTEMATIC, SURW, SYSTEMATIC, RF, SYSTEMATIC};
/* The turns; RARE joins after LEARNING executions. */
static const uint8_t turns[] = {RF, SURW, PCT, SYSTEMATIC, RARE};

struct portfolio {
    struct journal *journal;
    void *states[MEMBERS];
    struct seen *classes;
    bool leads; /* the first worker, or the only one */
    struct {
        uint64_t spent[MEMBERS]; /* steps, with older ones counting less */
        uint64_t found[MEMBERS]; /* new classes, with older ones counting less */
        uint64_t executions;
        uint32_t current;
        uint32_t in_vain; /* samples since one showed a new class */
        uint64_t first;   /* number of first turns */
        uint32_t reduces; /* the reduction has lost nothing so far */
        uint32_t over;    /* the reduction has explored all classes */
        uint32_t near;    /* the reduction may explore all classes before long */
        uint32_t delays;  /* DELAY has the first turns of SYSTEMATIC */
        /* No memory is left: only SYSTEMATIC, which manages with what it has, continues. */
        uint32_t alone;
    } now;
    struct total { /* Counts of the whole search. */
        uint64_t executions, classes, failed;
    } totals[MEMBERS];
    char room[ROOM] __attribute__((aligned(16))); /* memory for the states of the members */
};

static struct arena part_of(struct arena *arena, size_t size)
{
    return (struct arena){.bytes = arena_take(arena, size), .capacity = size};
}

static void auto_open(void *state, const struct strategy_options *options, struct arena *arena,
                      struct journal *journal)
{
    struct portfolio *portfolio = state;
    size_t part = arena->capacity / ARENA_PARTS;
    memset(portfolio, 0, sizeof *portfolio);
    portfolio->journal = journal;
    portfolio->leads = options->worker == 0;
    struct arena room = {.bytes = portfolio->room, .capacity = sizeof portfolio->room};
    for (int i = 0; i < MEMBERS; i++)
        portfolio->states[i] = arena_take(&room, members[i]->state_size);
    struct strategy_options sampling = *options;
    sampling.executions_max = 0;
    sampling.bound = NO_BOUND;
    sampling.cache = sampling.shared = false;
    for (int i = SYSTEMATIC + 1; i < DELAY; i++) {
        struct arena own = part_of(arena, part);
        sampling.seed = mix(options->seed, (uint64_t)options->worker * MEMBERS + (uint64_t)i);
        members[i]->open(portfolio->states[i], &sampling, &own, journal);
    }
    for (int i = DELAY; i <= REDUCED; i++) {
        struct arena own = part_of(arena, part);
        members[i]->open(portfolio->states[i], &sampling, &own, journal);
    }
    portfolio->now.reduces = portfolio->leads && options->bound == NO_BOUND && !options->cache;
    portfolio->classes = seen_open(arena, part < CLASSES_BYTES ? part : CLASSES_BYTES);
    members[SYSTEMATIC]->open(portfolio->states[SYSTEMATIC], options, arena, journal);
}

static uint64_t sum(const uint64_t *counts)
{
    uint64_t total = 0;
    for (int i = 0; i < MEMBERS; i++)
        total += counts[i];
    return total;
}

static uint32_t turn_of(const struct portfolio *portfolio)
{
    uint64_t number = portfolio->now.executions - portfolio->now.first;
    if (number >= LEARNING)
        return turns[(number - LEARNING) % sizeof turns];
    uint32_t member = turns[number % (sizeof turns - 1)];
    return member == SYSTEMATIC && portfolio->now.delays ? DELAY : member;
}

/* Whether the reduction and the other members take turns of RUN executions. SYSTEMATIC then gets
 * the same part of the others' half as it gets of everything otherwise. */
static bool takes_runs(const struct portfolio *portfolio)
{
    return portfolio->now.near && portfolio->now.executions >= EARLY;
}

static uint32_t pick(const struct portfolio *portfolio)
{
    const uint64_t *spent = portfolio->now.spent, *found = portfolio->now.found;
    uint64_t weights[MEMBERS], all = sum(found), samplers = 0, number = portfolio->now.executions;
    if (portfolio->now.alone)
        return SYSTEMATIC;
    if (number == 0 || number < portfolio->now.first)
        return first_turns[number];
    if (number < EARLY && portfolio->now.in_vain < IN_VAIN)
        return turn_of(portfolio);
    if (takes_runs(portfolio) && number / RUN % 2 == 1)
        return REDUCED;
    for (int i = 0; i < DELAY; i++)
        weights[i] = found[i] + 1 + all / FLOOR;
    for (int i = SYSTEMATIC + 1; i < DELAY; i++)
        samplers += weights[i];
    uint64_t least = all == found[SYSTEMATIC] ? AHEAD * samplers : samplers;
    if (weights[SYSTEMATIC] < least)
        weights[SYSTEMATIC] = least;
    uint32_t best = SYSTEMATIC;
    uint64_t spent_by_best = spent[SYSTEMATIC] + spent[REDUCED];
    for (uint32_t i = SYSTEMATIC + 1; i < DELAY; i++)
        if (spent[i] * weights[best] < spent_by_best * weights[i]) {
            best = i;
            spent_by_best = spent[i];
        }
    /* Never twice in a row: `spent` of the reduction began with nothing. */
    bool reduces = portfolio->now.reduces && !takes_runs(portfolio) &&
                   spent[REDUCED] < spent[SYSTEMATIC] && portfolio->now.current != REDUCED;
    return best == SYSTEMATIC && reduces ? REDUCED : best;
}

static bool auto_plan(void *state, struct schedule *next)
{
    struct portfolio *portfolio = state;
    if (portfolio->now.over)
        return false;
    uint32_t current = pick(portfolio);
    journal_save(portfolio->journal, &portfolio->now, sizeof portfolio->now);
    portfolio->now.current = current;
    if (members[current]->plan(portfolio->states[current], next))
        return true;
    if (current == DELAY) { /* DELAY has run all that there is */
        portfolio->now.delays = false;
        portfolio->now.current = current = SYSTEMATIC;
        return members[current]->plan(portfolio->states[current], next);
    }
    CHECK(current == SYSTEMATIC);
    return false;
}

static struct decision auto_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct portfolio *portfolio = pilot->state;
    uint32_t current = portfolio->now.current;
    pilot->state = portfolio->states[current];
    struct decision decision = members[current]->choose(pilot, at);
    pilot->state = portfolio;
    return decision;
}

static struct decision auto_choose_unseen(struct pilot *pilot, const struct choice_point *at)
{
    const struct portfolio *portfolio = pilot->state;
    if (portfolio->now.current != SYSTEMATIC)
        return auto_choose(pilot, at);
    pilot->state = portfolio->states[SYSTEMATIC];
    struct decision decision = members[SYSTEMATIC]->choose_unseen(pilot, at);
    pilot->state = portfolio;
    return decision;
}

static bool was_cut(const struct trace *trace)
{
    return trace->outcome == OUTCOME_CUT_STEPS || trace->outcome == OUTCOME_CUT_STRATEGY ||
           trace->outcome == OUTCOME_CUT_CYCLE || trace->outcome == OUTCOME_DIVERGED;
}

static void halve(uint64_t *counts)
{
    for (int i = 0; i < MEMBERS; i++)
        counts[i] /= 2;
}

static bool is_short(const struct trace *trace)
{
    uint32_t decisions = 0;
    for (uint32_t i = 0; i < trace->count; i++)
        decisions += trace->steps[i].alternatives > 1;
    return decisions <= SHORT;
}

static void count_execution(struct portfolio *portfolio, const struct trace *trace,
                            uint32_t current)
{
    struct total *total = &portfolio->totals[current];
    journal_save(portfolio->journal, total, sizeof *total);
    total->executions++;
    total->failed += trace->outcome == OUTCOME_FAILED || trace->outcome == OUTCOME_DEADLOCK ||
                     trace->outcome == OUTCOME_LIVELOCK;
}

/* Counts a new class, except for the reduction: all that it shows is new, which says nothing about
 * what is left. */
static void count_class(struct portfolio *portfolio, const struct trace *trace, uint32_t current)
{
    if (current == REDUCED)
        return;
    seen_begin(portfolio->classes, portfolio->journal);
    bool new = !was_cut(trace) && seen_add(portfolio->classes, trace->class, portfolio->journal);
    portfolio->now.found[current] += new;
    portfolio->totals[current].classes += new;
    if (current != SYSTEMATIC)
        portfolio->now.in_vain = new ? 0 : portfolio->now.in_vain + 1;
}

/* Learns while SYSTEMATIC is alone. An execution that another member planned before runs, but
 * nothing is learnt from it. */
static void learn_alone(struct portfolio *portfolio, const struct trace *trace)
{
    portfolio->now.executions++;
    if (portfolio->now.current == SYSTEMATIC)
        members[SYSTEMATIC]->learn(portfolio->states[SYSTEMATIC], trace);
}

/* Whether the reduction seems to get through: a good part of its tree, as far as it is known, is
 * explored, or was at half, a quarter or an eighth as many executions. More branches become known
 * on the way, so this is no promise, but for a tree that is far too large the share is next to
 * nothing. */
static bool is_near(const struct estimate *estimate)
{
    uint64_t most = 0;
    for (int i = 0; estimate->kind == ESTIMATE_GROWING && i < SHARES; i++)
        if (most < estimate->shares[i].share)
            most = estimate->shares[i].share;
    return most > UINT64_MAX / NEAR;
}

static void learn_reduced(struct portfolio *portfolio, const struct trace *trace)
{
    void *reduction = portfolio->states[REDUCED];
    portfolio->now.reduces &= !trace->unreduced && trace->outcome != OUTCOME_CUT_STEPS &&
                              trace->outcome != OUTCOME_DIVERGED;
    if (!portfolio->now.reduces) {
        portfolio->now.near = false;
        return;
    }
    members[REDUCED]->learn(reduction, trace);
    struct progress progress = members[REDUCED]->progress(reduction);
    portfolio->now.reduces = progress.claim == CLAIM_ALL_CLASSES;
    portfolio->now.over = portfolio->now.reduces && progress.complete;
    portfolio->now.near = portfolio->now.reduces && is_near(&progress.estimate);
}

static void auto_learn(void *state, const struct trace *trace)
{
    struct portfolio *portfolio = state;
    uint32_t current = portfolio->now.current;
    journal_save(portfolio->journal, &portfolio->now, sizeof portfolio->now);
    count_execution(portfolio, trace, current);
    if (portfolio->now.alone) {
        learn_alone(portfolio, trace);
        return;
    }
    count_class(portfolio, trace, current);
    if (current != REDUCED || !takes_runs(portfolio))
        portfolio->now.spent[current] += trace->count + OVERHEAD;
    if (portfolio->now.executions++ == 0) {
        portfolio->now.first = is_short(trace) ? sizeof first_turns : 1;
        portfolio->now.delays = portfolio->leads && trace->thread_count >= MANY;
    }
    if (portfolio->now.executions % EPOCH == 0) {
        halve(portfolio->now.spent);
        halve(portfolio->now.found);
    }
    if (current == REDUCED)
        learn_reduced(portfolio, trace);
    else
        members[current]->learn(portfolio->states[current], trace);
    for (uint32_t i = 0; i < MEMBERS && portfolio->now.executions <= TOLD; i++)
        if (i != current && members[i]->watch != NULL)
            members[i]->watch(portfolio->states[i], trace);
}

static struct progress auto_progress(const void *state)
{
    const struct portfolio *portfolio = state;
    struct progress progress = members[SYSTEMATIC]->progress(portfolio->states[SYSTEMATIC]);
    progress.sampled = portfolio->now.current != SYSTEMATIC;
    if (portfolio->now.reduces)
        progress.tree_bytes = members[REDUCED]->progress(portfolio->states[REDUCED]).tree_bytes;
    if (portfolio->now.over) {
        progress.claim = CLAIM_ALL_CLASSES;
        progress.complete = progress.over = true;
        progress.lost = 0; /* SYSTEMATIC lost them, and the proof is not its own */
    }
    return progress;
}

static void auto_full(void *state)
{
    struct portfolio *portfolio = state;
    journal_save(portfolio->journal, &portfolio->now, sizeof portfolio->now);
    portfolio->now.alone = true;
    portfolio->now.reduces = portfolio->now.near = false;
    bounded_full(portfolio->states[SYSTEMATIC]);
}

static uint32_t auto_contributions(const void *state, struct contribution *out)
{
    const struct portfolio *portfolio = state;
    for (int i = 0; i < MEMBERS; i++)
        out[i] = (struct contribution){.strategy = members[i]->name,
                                       .executions = portfolio->totals[i].executions,
                                       .classes = portfolio->totals[i].classes,
                                       .lately = portfolio->now.found[i],
                                       .failed = portfolio->totals[i].failed};
    return MEMBERS;
}
_Static_assert((int)MEMBERS <= (int)CONTRIBUTIONS_MAX, "each has a row");

static bool auto_reduces_now(const void *state)
{
    const struct portfolio *portfolio = state;
    return portfolio->now.current == REDUCED;
}

static bool auto_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct portfolio *portfolio = state;
    return bounded_split(portfolio->states[SYSTEMATIC], &strategy_auto, out);
}

static bool auto_adopt(void *state, const struct subtree *subtree)
{
    struct portfolio *portfolio = state;
    return members[SYSTEMATIC]->sharing.adopt(portfolio->states[SYSTEMATIC], subtree);
}

static void auto_rise(void *state)
{
    struct portfolio *portfolio = state;
    members[SYSTEMATIC]->sharing.rise(portfolio->states[SYSTEMATIC]);
}

const struct strategy strategy_auto = {
    .name = "auto",
    .summary = "preempt, dpor and samplers in turn, by how many new classes each shows",
    .traits.bound_name = "preemptions",
    .reduces_now = auto_reduces_now,
    .traits.reduces_in_part = true,
    .traits.reduces_strikes = true,
    .traits.foresees = true,
    .traits.turns = TURNS_SKIPPED,
    .state_size = sizeof(struct portfolio),
    .open = auto_open,
    .plan = auto_plan,
    .choose = auto_choose,
    .choose_unseen = auto_choose_unseen,
    .learn = auto_learn,
    .progress = auto_progress,
    .full = auto_full,
    .contributions = auto_contributions,
    .sharing.split = auto_split,
    .sharing.adopt = auto_adopt,
    .sharing.rise = auto_rise,
};
