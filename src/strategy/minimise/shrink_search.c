/* Shrinking: the same finding with a simpler schedule. Fewer spurious wake-ups count most, then
 * fewer preemptions, fewer switches and fewer steps (delta debugging, Zeller and Hildebrandt 2002).
 * For the coordinator, not for users.
 *
 * The best execution so far is seen as blocks (path.h). Others are tried in which blocks are left
 * out, run on or end earlier. All that a try changes is in its hint, so that only the best
 * execution has to last. */
#include <string.h>

#include "strategy/minimise/path.h"

extern const struct strategy strategy_shrink;

enum move {
    AS_IT_IS,
    LEAVE_OUT, /* leaves out `width` blocks from `at` on */
    JOIN,      /* block `at` includes what its thread does in its next block */
    RUN_ON,    /* block `at` runs on as long as it can */
    TRIM,      /* block `at` ends `width` steps earlier */
    OUTCOME,   /* data choice `at` has outcome `width` */
    PAIR,      /* leaves out blocks `at` and `width` */
    /* Leaves out block `at`, and another block ends elsewhere: the `width`-th way to do so. */
    SLIDE,
    MOVES
};

enum {
    PAIRS_OF = 48,        /* most blocks for PAIR: there are many pairs */
    SLIDES_OF = 1 << 13,  /* most ways for SLIDE, for the same reason */
    OUTCOMES_OF = 16,     /* outcomes of a choice that are tried */
    FREE_STEPS = 1 << 20, /* steps to run when only switches and steps are left to shrink */
    FIELD_BITS = 24,
};
_Static_assert((int)STEP_BITS <= (int)FIELD_BITS, "a block's number fits into a hint");

struct shrink {
    struct journal *journal;
    uint32_t steps_max;
    uint32_t reserved;
    struct path kept[2]; /* the best execution is kept[now.which] */
    struct path room;    /* blocks and choices of the execution in flight */
    struct flight *flight;
    struct {
        uint32_t which;
        uint32_t move, at, width; /* the move of the current try */
        bool improved;            /* some try was better since the first move of this round */
        bool known;               /* the best execution has been run here */
        bool ended;
        struct trace_costs costs;
        uint32_t steps;
        uint32_t free_steps; /* steps run since the best execution has no preemption */
    } now;
};

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
    path_read(&shrink->kept[0], options->start, options->start_count);
}

static const struct path *best_of(const struct shrink *shrink)
{
    return &shrink->kept[shrink->now.which];
}

/* Finds the n-th way to let a block end earlier, or later, within its thread's next block. */
static bool slide_find(const struct path *path, uint32_t n, uint32_t *at, uint32_t *until)
{
    for (*at = 0; *at < path->block_count; ++*at) {
        uint32_t here = path->blocks[*at].until, next = path_block_after(path, *at);
        uint32_t first = here - path_block_length(path, *at) + 1;
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
                        : move == TRIM    ? (best->block_count > 0 ? path_block_length(best, 0) : 0)
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
        return at < best->block_count && path_block_after(best, at) < best->block_count;
    case RUN_ON:
        return at < best->block_count;
    case TRIM:
        return at < best->block_count && width > 0 && width < path_block_length(best, at);
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

/* Advances to the next move of this kind. false: there are no more. */
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
            *width = path_block_length(best, *at);
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

/* Begins the best execution, changed as the hint says. */
static void try_begin(const struct shrink *shrink, uint64_t hint)
{
    enum move move = hint & 0xff;
    uint32_t at = hint_field(hint, 8), width = hint_field(hint, 8 + FIELD_BITS), count = 0;
    const struct path *best = best_of(shrink);
    struct path path = shrink->room;
    uint32_t slid = UINT32_MAX, slid_until = 0;
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
            block.until = best->blocks[path_block_after(best, at)].until;
        else if (move == RUN_ON && i == at)
            block.until = UINT32_MAX;
        else if (move == TRIM && i == at)
            block.until -= width;
        path.blocks[count++] = block;
    }
    path.block_count = count;
    path.choice_count = best->choice_count;
    memcpy(path.choices, best->choices, best->choice_count * sizeof *best->choices);
    if (move == OUTCOME)
        path.choices[at].choice = (uint16_t)width;
    flight_begin(shrink->flight, &path);
}

static struct decision shrink_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct shrink *shrink = pilot->state;
    if (pilot->position == 0)
        try_begin(shrink, pilot->schedule->hint);
    return flight_choose(shrink->flight, &shrink->room, pilot, at);
}

static bool is_better(const struct shrink *shrink, const struct trace *trace,
                      const struct trace_costs *costs)
{
    if (!shrink->now.known)
        return true;
    if (costs->spurious != shrink->now.costs.spurious)
        return costs->spurious < shrink->now.costs.spurious;
    if (costs->preemptions != shrink->now.costs.preemptions)
        return costs->preemptions < shrink->now.costs.preemptions;
    if (costs->switches != shrink->now.costs.switches)
        return costs->switches < shrink->now.costs.switches;
    return trace->count < shrink->now.steps;
}

static void keep(struct shrink *shrink, const struct trace *trace, const struct trace_costs *costs)
{
    struct path *path = &shrink->kept[1 - shrink->now.which];
    journal_save(shrink->journal, path, sizeof *path);
    path_of_trace(path, trace);
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
    if (shrink->now.costs.preemptions == 0)
        shrink->now.free_steps += trace->count;
    if (!shrink->now.known || trace->outcome == OUTCOME_DIVERGED ||
        shrink->now.free_steps >= FREE_STEPS)
        shrink->now.ended = true;
    /* Otherwise the same move is tried again at this place. */
    else if (!better || !is_worth_a_try(shrink))
        find_next_try(shrink);
}

static struct progress shrink_progress(const void *state)
{
    return (struct progress){.claim = CLAIM_NOTHING, .bound = NO_BOUND};
}

const struct strategy strategy_shrink = {
    .name = "shrink",
    .summary = "the same finding with fewer spurious wake-ups, preemptions, switches and steps",
    .state_size = sizeof(struct shrink),
    .open = shrink_open,
    .plan = shrink_plan,
    .choose = shrink_choose,
    .learn = shrink_learn,
    .progress = shrink_progress,
};
