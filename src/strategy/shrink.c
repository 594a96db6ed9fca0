/* The same finding with a simpler schedule: fewer preemptions, then fewer switches, then fewer
 * steps (delta debugging, Zeller and Hildebrandt 2002). For the coordinator, not for users.
 *
 * The best execution so far is seen as blocks: a thread runs until it has taken so many steps.
 * Others are tried in which blocks are left out, run on or end earlier. They are followed as far as
 * possible: a thread that cannot run is passed over, and what it missed is part of its next block;
 * after the last block all goes by default. What a try changes is all in its hint, so that nothing
 * but the best execution has to last. */
#include <string.h>

#include "strategy/strategy.h"

extern const struct strategy strategy_shrink;

enum move {
    AS_IT_IS,
    LEAVE_OUT, /* `width` blocks from `at` on */
    JOIN,      /* block `at` goes on with what its thread does in its next block */
    RUN_ON,    /* block `at` goes on as long as it can */
    TRIM,      /* block `at` ends `width` steps earlier */
    OUTCOME,   /* data choice `at` has outcome `width` */
    PAIR,      /* blocks `at` and `width` are left out */
    SLIDE,     /* block `at` is left out, and another ends elsewhere: the `width`-th way to do so */
    MOVES
};

enum {
    PAIRS_OF = 48,       /* blocks at most: there are many pairs */
    SLIDES_OF = 1 << 13, /* ways at most, for the same reason */
    OUTCOMES_OF = 16,    /* outcomes of a choice that are tried */
    FIELD_BITS = 24,
};
_Static_assert((int)STEP_BITS <= (int)FIELD_BITS, "a block's number fits into a hint");

struct block {
    uint32_t until; /* it has taken so many steps in all */
    thread_id thread;
    uint16_t reserved;
};

struct outcome_taken { /* of a data choice */
    uint32_t number;   /* of its thread's step */
    thread_id thread;
    uint16_t choice, choices;
    uint16_t reserved;
};

struct path {
    uint32_t block_count, choice_count;
    struct block *blocks;
    struct outcome_taken *choices;
};

struct shrink {
    struct journal *journal;
    uint32_t steps_max;
    uint32_t reserved;
    struct path kept[2]; /* the best execution is kept[now.which] */
    struct path room;    /* for the blocks and choices of the execution in flight */
    struct flight {
        uint32_t block_count, choice_count;
        uint32_t at; /* the block to follow */
        uint32_t taken[THREADS_MAX];
    } * flight;
    struct {
        uint32_t which;
        uint32_t move, at, width; /* what is tried */
        bool improved;            /* since the first move of this round */
        bool known;               /* the best one has been run here */
        bool ended;
        struct trace_costs costs;
        uint32_t steps;
    } now;
};

static struct path path_take(struct arena *arena, uint32_t steps)
{
    return (struct path){.blocks = arena_take(arena, steps * sizeof(struct block)),
                         .choices = arena_take(arena, steps * sizeof(struct outcome_taken))};
}

static void path_add(struct path *path, uint32_t *taken, thread_id thread, uint16_t choice,
                     uint16_t choices)
{
    struct block *last = path->block_count > 0 ? &path->blocks[path->block_count - 1] : NULL;
    if (choices > 1)
        path->choices[path->choice_count++] = (struct outcome_taken){
            .number = *taken, .thread = thread, .choice = choice, .choices = choices};
    ++*taken;
    if (last != NULL && last->thread == thread)
        last->until = *taken;
    else
        path->blocks[path->block_count++] = (struct block){.until = *taken, .thread = thread};
}

static void shrink_open(void *state, const struct strategy_options *options, struct arena *arena,
                        struct journal *journal)
{
    struct shrink *shrink = state;
    memset(shrink, 0, sizeof *shrink);
    shrink->journal = journal;
    shrink->steps_max = options->steps_max;
    shrink->flight = arena_take(arena, sizeof *shrink->flight);
    shrink->room = path_take(arena, options->steps_max);
    for (int i = 0; i < 2; i++)
        shrink->kept[i] = path_take(arena, options->steps_max);
    CHECK(options->start_count <= options->steps_max);
    uint32_t taken[THREADS_MAX] = {0};
    for (uint32_t i = 0; i < options->start_count; i++) {
        const struct decision *decision = &options->start[i];
        CHECK(decision->thread < THREADS_MAX);
        path_add(&shrink->kept[0], &taken[decision->thread], decision->thread, decision->choice,
                 decision->choice > 0 ? UINT16_MAX : 1);
    }
}

static const struct path *best_of(const struct shrink *shrink)
{
    return &shrink->kept[shrink->now.which];
}

static uint32_t block_length(const struct path *path, uint32_t at)
{
    for (uint32_t i = at; i-- > 0;)
        if (path->blocks[i].thread == path->blocks[at].thread)
            return path->blocks[at].until - path->blocks[i].until;
    return path->blocks[at].until;
}

/* The next block of the same thread, or the number of all blocks. */
static uint32_t block_after(const struct path *path, uint32_t at)
{
    uint32_t next = at + 1;
    while (next < path->block_count && path->blocks[next].thread != path->blocks[at].thread)
        next++;
    return next;
}

/* The n-th way to let a block end earlier, or later in what its thread does in its next block. */
static bool slide_find(const struct path *path, uint32_t n, uint32_t *at, uint32_t *until)
{
    for (*at = 0; *at < path->block_count; ++*at) {
        uint32_t here = path->blocks[*at].until, next = block_after(path, *at);
        uint32_t first = here - block_length(path, *at) + 1;
        uint32_t last = next < path->block_count ? path->blocks[next].until : here;
        if (n < last - first) {
            *until = first + n + (first + n >= here);
            return true;
        }
        n -= last - first;
    }
    return false;
}

static bool slide_is_possible(const struct shrink *shrink, uint32_t left_out, uint32_t n)
{
    uint32_t at, until;
    const struct path *best = best_of(shrink);
    return left_out < best->block_count && slide_find(best, n, &at, &until) && at != left_out;
}

static bool slides_are_few(const struct shrink *shrink)
{
    return shrink->now.costs.preemptions > 0 &&
           (uint64_t)best_of(shrink)->block_count * shrink->now.steps <= SLIDES_OF;
}

/* Begins the next kind of move. */
static void turn_to(struct shrink *shrink, enum move move)
{
    const struct path *best = best_of(shrink);
    shrink->now.move = move;
    shrink->now.at = 0;
    shrink->now.width = move == LEAVE_OUT ? best->block_count
                        : move == TRIM    ? (best->block_count > 0 ? block_length(best, 0) : 0)
                                          : 0;
}

static bool is_worth_a_try(const struct shrink *shrink)
{
    const struct path *best = best_of(shrink);
    uint32_t at = shrink->now.at, width = shrink->now.width;
    switch ((enum move)shrink->now.move) {
    case LEAVE_OUT:
        return at < best->block_count && width > 0;
    case JOIN:
        return at < best->block_count && block_after(best, at) < best->block_count;
    case RUN_ON:
        return at < best->block_count;
    case TRIM:
        return at < best->block_count && width > 0 && width < block_length(best, at);
    case OUTCOME:
        return at < best->choice_count && width < best->choices[at].choices &&
               width < OUTCOMES_OF && width != best->choices[at].choice;
    case PAIR:
        return shrink->now.costs.preemptions > 0 && best->block_count <= PAIRS_OF && at < width &&
               width < best->block_count;
    case SLIDE:
        return slides_are_few(shrink) && slide_is_possible(shrink, at, width);
    case AS_IT_IS:
    case MOVES:
        return false;
    }
    UNREACHABLE();
}

/* One further; false: there are no more of this kind. */
static bool step_further(struct shrink *shrink)
{
    const struct path *best = best_of(shrink);
    uint32_t *at = &shrink->now.at, *width = &shrink->now.width;
    switch ((enum move)shrink->now.move) {
    case AS_IT_IS:
        return false;
    case LEAVE_OUT:
        *at += *width;
        if (*at >= best->block_count) {
            *at = 0;
            *width = *width > best->block_count ? best->block_count : *width / 2;
        }
        return *width > 0;
    case JOIN:
    case RUN_ON:
        return ++*at < best->block_count;
    case TRIM:
        *width /= 2;
        if (*width == 0 && ++*at < best->block_count)
            *width = block_length(best, *at);
        return *at < best->block_count;
    case OUTCOME:
        if (*at < best->choice_count &&
            (++*width >= best->choices[*at].choices || *width == OUTCOMES_OF))
            *width = 0, ++*at;
        return *at < best->choice_count;
    case PAIR:
        if (++*width >= best->block_count)
            *width = ++*at + 1;
        return best->block_count <= PAIRS_OF && *width < best->block_count;
    case SLIDE: {
        uint32_t block, until;
        if (!slide_find(best, ++*width, &block, &until))
            *width = 0, ++*at;
        return slides_are_few(shrink) && *at < best->block_count;
    }
    case MOVES:
        break;
    }
    UNREACHABLE();
}

static void find_next_try(struct shrink *shrink)
{
    do {
        if (step_further(shrink))
            continue;
        if (shrink->now.move + 1 < MOVES) {
            turn_to(shrink, shrink->now.move + 1);
        } else if (shrink->now.improved) {
            shrink->now.improved = false;
            turn_to(shrink, LEAVE_OUT);
        } else {
            shrink->now.ended = true;
        }
    } while (!shrink->now.ended && !is_worth_a_try(shrink));
}

static bool shrink_plan(void *state, struct schedule *next)
{
    const struct shrink *shrink = state;
    next->prefix_count = 0;
    next->check_step = 0;
    next->hint = shrink->now.move | (uint64_t)shrink->now.at << 8 |
                 (uint64_t)shrink->now.width << (8 + FIELD_BITS);
    return !shrink->now.ended;
}

static uint32_t hint_field(uint64_t hint, uint32_t shift)
{
    return (uint32_t)(hint >> shift) & ((1u << FIELD_BITS) - 1);
}

/* The best execution, changed as the hint says. */
static void flight_begin(const struct shrink *shrink, uint64_t hint)
{
    enum move move = hint & 0xff;
    uint32_t at = hint_field(hint, 8), width = hint_field(hint, 8 + FIELD_BITS), count = 0;
    const struct path *best = best_of(shrink);
    struct flight *flight = shrink->flight;
    uint32_t slid = UINT32_MAX, slid_until = 0;
    memset(flight, 0, sizeof *flight);
    if (move == SLIDE)
        slide_find(best, width, &slid, &slid_until);
    for (uint32_t i = 0; i < best->block_count; i++) {
        struct block block = best->blocks[i];
        bool left_out = (move == LEAVE_OUT && i >= at && i - at < width) ||
                        (move == PAIR && (i == at || i == width)) || (move == SLIDE && i == at);
        if (left_out)
            continue;
        if (i == slid)
            block.until = slid_until;
        else if (move == JOIN && i == at)
            block.until = best->blocks[block_after(best, at)].until;
        else if (move == RUN_ON && i == at)
            block.until = UINT32_MAX;
        else if (move == TRIM && i == at)
            block.until -= width;
        shrink->room.blocks[count++] = block;
    }
    flight->block_count = count;
    flight->choice_count = best->choice_count;
    memcpy(shrink->room.choices, best->choices, best->choice_count * sizeof *best->choices);
    if (move == OUTCOME)
        shrink->room.choices[at].choice = (uint16_t)width;
}

static thread_id follow(const struct shrink *shrink, const struct choice_point *at)
{
    struct flight *flight = shrink->flight;
    for (; flight->at < flight->block_count; flight->at++) {
        const struct block *block = &shrink->room.blocks[flight->at];
        if (flight->taken[block->thread] < block->until &&
            thread_set_has(&at->enabled, block->thread))
            return block->thread;
    }
    return thread_set_next_around(&at->enabled, at->last);
}

static uint16_t outcome_of(const struct shrink *shrink, thread_id thread, uint16_t outcomes)
{
    const struct flight *flight = shrink->flight;
    for (uint32_t i = 0; outcomes > 1 && i < flight->choice_count; i++) {
        const struct outcome_taken *taken = &shrink->room.choices[i];
        if (taken->thread == thread && taken->number == flight->taken[thread])
            return taken->choice < outcomes ? taken->choice : 0;
    }
    return 0;
}

static struct decision shrink_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct shrink *shrink = pilot->state;
    struct flight *flight = shrink->flight;
    if (pilot->position == 0)
        flight_begin(shrink, pilot->schedule->hint);
    for (uint32_t step = pilot_first_new(pilot); step < at->step; step++)
        flight->taken[at->steps[step].thread]++;
    pilot_looked(pilot, at);
    thread_id thread = follow(shrink, at);
    return (struct decision){.step = at->step,
                             .thread = thread,
                             .choice = outcome_of(shrink, thread, at->pending[thread].choices)};
}

static bool is_better(const struct shrink *shrink, const struct trace *trace,
                      const struct trace_costs *costs)
{
    if (!shrink->now.known)
        return true;
    if (costs->preemptions != shrink->now.costs.preemptions)
        return costs->preemptions < shrink->now.costs.preemptions;
    if (costs->switches != shrink->now.costs.switches)
        return costs->switches < shrink->now.costs.switches;
    return trace->count < shrink->now.steps;
}

static void keep(struct shrink *shrink, const struct trace *trace, const struct trace_costs *costs)
{
    uint32_t taken[THREADS_MAX] = {0};
    struct path *path = &shrink->kept[1 - shrink->now.which];
    journal_save(shrink->journal, path, sizeof *path);
    path->block_count = path->choice_count = 0;
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        path_add(path, &taken[step->thread], step->thread, step->choice, step->op.choices);
    }
    shrink->now.which = 1 - shrink->now.which;
    shrink->now.costs = *costs;
    shrink->now.steps = trace->count;
    shrink->now.improved = shrink->now.known;
    shrink->now.known = true;
}

static void shrink_learn(void *state, const struct trace *trace)
{
    struct shrink *shrink = state;
    journal_save(shrink->journal, &shrink->now, sizeof shrink->now);
    struct trace_costs costs = trace_costs(trace);
    bool better = trace->shown && is_better(shrink, trace, &costs);
    if (better)
        keep(shrink, trace, &costs);
    if (!shrink->now.known || trace->outcome == OUTCOME_DIVERGED)
        shrink->now.ended = true;
    else if (!better || !is_worth_a_try(shrink)) /* else: once more at the same place */
        find_next_try(shrink);
}

static struct progress shrink_progress(const void *state)
{
    return (struct progress){.claim = CLAIM_NOTHING, .bound = NO_BOUND};
}

const struct strategy strategy_shrink = {
    .name = "shrink",
    .summary = "the same finding with fewer preemptions, switches and steps",
    .state_size = sizeof(struct shrink),
    .open = shrink_open,
    .plan = shrink_plan,
    .choose = shrink_choose,
    .learn = shrink_learn,
    .progress = shrink_progress,
};
