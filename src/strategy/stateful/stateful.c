/* Search through states: depth first; an execution is not continued from a state that was visited
 * before (ZING: Andrews, Qadeer, Rajamani, Rehof and Xie 2004). All that can follow was run from
 * where the state was visited first, or will be. So the search of a program with endless loops ends
 * if its states are finitely many.
 *
 * States come as fingerprints in the choice points, before every step. Those of the execution in
 * flight are only noted. learn puts them into the table, so that an execution whose process died
 * can be run again.
 *
 * States that lead to each other are a loop (loops.h). If no enabled thread is left out in a loop,
 * one iteration is run to show it. */
#include <string.h>

#include "base/mix.h"
#include "strategy/alternative.h"
#include "strategy/seen.h"
#include "strategy/stateful/loops.h"
#include "strategy/strategy.h"

enum {
    TABLE_BYTES_LOG = 32,
    /* The loops have a quarter of the memory, the table at most half. */
    LOOPS_SHARE = 4
};

struct visited {
    uint64_t key[2];   /* fingerprint of the state and the way to it */
    uint64_t state[2]; /* fingerprint of the state; 0: unknown */
    uint32_t number;   /* its number among the states that may be in loops; set by learn */
    uint32_t reserved;
};

struct flight { /* The execution in flight. */
    uint32_t generation;
    uint32_t end; /* 1 + the last step before which choose() was called */
    /* How the execution was cut: 1: at a state of an earlier execution; 2: at a state of its
     * own. */
    uint32_t met;
    uint32_t at;         /* step before which it visited that state first */
    struct visited last; /* the state at which it was cut, if it was */
    uint64_t slots;
    struct slot {
        uint32_t generation, step;
    } all[];
};

struct stateful {
    struct journal *journal;
    struct seen *seen;
    struct loops loops;
    /* Decisions in which the execution in flight leaves the default, by rising step. */
    struct decision *taken;
    struct visited *path; /* the state before each step */
    /* One iteration of a loop to be shown: every step from the first of the execution on. */
    struct decision *round;
    struct flight *flight;
    uint32_t steps_max;
    struct stateful_now {
        uint32_t count; /* number of `taken` */
        uint32_t check; /* fingerprint of the steps before the last decision of `taken` */
        uint8_t ended;
        uint8_t diverged; /* the program took another way: what is left is unknown */
        uint8_t lost;     /* a loop was longer than an execution may be */
        uint8_t reserved;
        /* First step and length of the loop that is being shown; 0: none. */
        uint32_t round_from, round_count;
        uint32_t done;  /* states before steps from this one on are done */
        uint32_t until; /* states before steps from this one on are to be done next */
        struct states_count states;
        struct loops_now loops;
    } now;
};

static void stateful_open(void *state, const struct strategy_options *options, struct arena *arena,
                          struct journal *journal)
{
    struct stateful *search = state;
    memset(search, 0, sizeof *search);
    uint32_t steps = options->steps_max;
    search->journal = journal;
    search->steps_max = steps;
    search->taken = arena_take(arena, steps * sizeof *search->taken);
    search->path = arena_take(arena, (steps + 1ul) * sizeof *search->path);
    search->round = arena_take(arena, steps * sizeof *search->round);
    search->flight =
        arena_take(arena, sizeof *search->flight + 2ul * steps * sizeof *search->flight->all);
    search->flight->slots = 2ul * steps;
    size_t left = arena->capacity - arena->used, most = 1ul << TABLE_BYTES_LOG;
    size_t table = options->memory_max != 0 ? options->memory_max
                   : left / 2 < most        ? left / 2
                                            : most;
    search->seen = seen_open(arena, table < left / 2 ? table : left / 2);
    loops_open(&search->loops, arena, left / LOOPS_SHARE);
}

static bool stateful_plan(void *state, struct schedule *next)
{
    const struct stateful *search = state;
    if (search->now.ended)
        return false;
    bool round = search->now.round_count > 0;
    uint32_t count = round ? search->now.round_from + search->now.round_count : search->now.count;
    CHECK(count <= next->prefix_capacity);
    memcpy(next->prefix, round ? search->round : search->taken, count * sizeof *search->taken);
    next->prefix_count = count;
    next->check_step = count > 0 && !round ? search->taken[count - 1].step : 0;
    next->check = search->now.check;
    return true;
}

static bool same(const uint64_t a[2], const uint64_t b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

/* The slot of a state of this execution, or a free one. */
static struct slot *slot_of(const struct stateful *search, const uint64_t key[2])
{
    struct flight *flight = search->flight;
    for (uint64_t at = key[1] % flight->slots;; at = (at + 1) % flight->slots) {
        struct slot *slot = &flight->all[at];
        if (slot->generation != flight->generation || same(search->path[slot->step].key, key))
            return slot;
    }
}

static struct decision cut(const struct choice_point *at)
{
    return (struct decision){.step = at->step, .thread = NO_THREAD};
}

/* Ends the iteration of a loop that is shown, if its first state is reached again. */
static struct decision end_round(const struct stateful *search, const struct choice_point *at)
{
    const struct visited *first = &search->path[search->now.round_from];
    struct decision answer = cut(at);
    if (at->step == search->now.round_from + search->now.round_count &&
        same(first->state, at->state)) {
        answer.step = search->now.round_from;
        answer.choice = GOES_ROUND;
    }
    return answer;
}

static struct decision stateful_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct stateful *search = pilot->state;
    struct flight *flight = search->flight;
    if (pilot->position == 0) {
        flight->generation++;
        flight->met = 0;
    }
    pilot_looked(pilot, at);
    if (search->now.round_count > 0)
        return end_round(search, at);
    struct visited *here = &search->path[at->step];
    *here = (struct visited){.state = {at->state[0], at->state[1]},
                             .key = {at->state[0], at->state[1]}};
    flight->end = at->step + 1;
    if (at->state[0] == 0 && at->state[1] == 0)
        return decision_nth(at, 0);
    if (at->way != 0) {
        here->key[0] = mix_fold(at->state[0] ^ 0x9e3779b97f4a7c15, at->way);
        here->key[1] = mix_fold(at->state[1] ^ 0xbf58476d1ce4e5b9, ~at->way);
    }
    flight->at = at->step;
    flight->last = *here;
    flight->met = 1;
    if (seen_has(search->seen, here->key, search->journal))
        return cut(at);
    struct slot *slot = slot_of(search, here->key);
    if (slot->generation == flight->generation) {
        flight->met = 2;
        flight->at = slot->step;
        return cut(at);
    }
    flight->met = 0;
    *slot = (struct slot){.generation = flight->generation, .step = at->step};
    return decision_nth(at, 0);
}

static uint32_t steps_planned(const struct stateful *search)
{
    return search->now.count > 0 ? search->taken[search->now.count - 1].step + 1 : 0;
}

/* Whether the state was not in the table before this step of this execution. A transaction that was
 * killed may have added it. */
static bool is_new(const struct stateful *search, const struct visited *visited)
{
    const struct seen *seen = search->seen;
    if (seen_has(seen, visited->state, search->journal))
        return false;
    return !seen_has_by_now(seen, visited->state, search->journal) ||
           seen_value(seen, visited->state, search->journal) == visited->number;
}

/* Adds a state to the table, also under the way to it. Several ways may lead to one state; an
 * execution whose way does not matter finds the state under its own name. */
static void remember(struct stateful *search, const struct visited *visited)
{
    struct seen *seen = search->seen;
    search->now.states.full |= seen_is_full(seen);
    if (!search->now.states.full && is_new(search, visited)) {
        seen_add_value(seen, visited->state, visited->number, search->journal);
        search->now.states.known++;
    }
    if (!same(visited->state, visited->key))
        seen_add_value(seen, visited->key, visited->number, search->journal);
}

static struct decision step_taken(const struct trace *trace, uint32_t step)
{
    return (struct decision){.thread = trace->steps[step].thread,
                             .choice = trace->steps[step].choice};
}

static void enter(struct stateful *search, const struct trace *trace, uint32_t step)
{
    struct visited *here = &search->path[step];
    bool asked = step < search->flight->end;
    if (!asked)
        *here = (struct visited){.state = {0}};
    uint32_t from = step > 0 ? search->path[step - 1].number : LOOPS_NONE;
    struct decision by = step > 0 ? step_taken(trace, step - 1) : no_alternative();
    here->number = loops_enter(&search->loops, here->state, &trace->steps[step].enabled, from, by);
    if (here->state[0] != 0 || here->state[1] != 0)
        remember(search, here);
    else
        search->now.states.unknown++;
}

static void meet(struct stateful *search, const struct trace *trace)
{
    const struct flight *flight = search->flight;
    if (trace->outcome != OUTCOME_CUT_STRATEGY || flight->met == 0 || trace->count == 0)
        return;
    uint32_t to = flight->met == 2 ? search->path[flight->at].number
                                   : seen_value(search->seen, flight->last.key, search->journal);
    loops_meet(&search->loops, search->path[trace->count - 1].number,
               step_taken(trace, trace->count - 1), flight->last.state, to);
}

/* Leaves the states from which all was tried, the last first. If one completes a loop that a fair
 * scheduler can repeat forever, that loop is run next. */
static void leave(struct stateful *search, const struct trace *trace)
{
    while (search->now.done > search->now.until) {
        uint32_t step = --search->now.done;
        uint32_t length = loops_leave(&search->loops, search->path[step].number,
                                      search->round + step, search->steps_max - 1 - step);
        if (length == UINT32_MAX)
            search->now.lost = true;
        if (length == 0 || length == UINT32_MAX)
            continue;
        for (uint32_t i = 0; i < step; i++)
            search->round[i] = step_taken(trace, i);
        for (uint32_t i = 0; i < step + length; i++)
            search->round[i].step = i;
        search->now.round_from = step;
        search->now.round_count = length;
        return;
    }
}

static void stateful_learn(void *state, const struct trace *trace)
{
    struct stateful *search = state;
    journal_save(search->journal, &search->now, sizeof search->now);
    seen_begin(search->seen, search->journal);
    search->loops.now = search->now.loops; /* all other parts of `loops` stay as they are */
    if (search->now.round_count > 0) {
        search->now.diverged |= trace->outcome == OUTCOME_DIVERGED;
        search->now.round_count = 0;
        leave(search, trace);
        search->now.loops = search->loops.now;
        if (search->now.round_count == 0 && search->now.count == 0)
            search->now.ended = true;
        return;
    }
    search->now.diverged =
        trace->outcome == OUTCOME_DIVERGED || trace->count < steps_planned(search);
    struct decision decision =
        search->now.diverged ? no_alternative() : deepest_alternative(trace, 0);
    for (uint32_t step = steps_planned(search); !search->now.diverged && step < trace->count;
         step++)
        enter(search, trace, step);
    if (!search->now.diverged)
        meet(search, trace);
    search->now.done = search->now.diverged ? 0 : trace->count;
    search->now.until = decision.thread == NO_THREAD ? 0 : decision.step + 1;
    leave(search, trace);
    search->now.loops = search->loops.now;
    search->now.states.loops_lost = search->now.loops.full || search->now.states.full;
    search->now.states.bytes = seen_bytes(search->seen);
    if (decision.thread == NO_THREAD) {
        search->now.ended = search->now.round_count == 0;
        search->now.count = 0;
        return;
    }
    search->now.check = schedule_check(trace->steps[decision.step].fingerprint);
    search->now.count =
        decisions_branch(search->taken, search->now.count, decision, search->journal);
}

static struct progress stateful_progress(const void *state)
{
    const struct stateful *search = state;
    return (struct progress){
        .claim = search->now.diverged || search->now.lost ? CLAIM_NOTHING : CLAIM_ALL_STATES,
        .complete = search->now.ended && !search->now.diverged && !search->now.lost,
        .bound = NO_BOUND,
        .states = search->now.states,
    };
}

const struct strategy strategy_stateful = {
    .name = "stateful",
    .summary = "every state of the program, each once; loops without end are livelocks",
    .traits.compares = true,
    .state_size = sizeof(struct stateful),
    .open = stateful_open,
    .plan = stateful_plan,
    .choose = stateful_choose,
    .learn = stateful_learn,
    .progress = stateful_progress,
};
