/* Wandering: the same finding with fewer preemptions, by way of executions that have as many. It
 * helps where no single change of shrink_search.c makes the execution simpler. For the coordinator,
 * not for users.
 *
 * One execution that shows the finding is kept, and changed at random: blocks (path.h) are left
 * out, end elsewhere, change places, or are added. An execution that shows the finding with no more
 * preemptions replaces it. For some time, so does one with one to three preemptions more than the
 * best, so that the search gets from one class of executions to others.
 *
 * The search ends with its budget, or after so many executions. If the first execution does not
 * show the finding, the search can look for one near it that does. */
#include <string.h>

#include "base/mix.h"
#include "strategy/minimise/path.h"

extern const struct strategy strategy_wander;

enum {
    CHANGES_MAX = 4, /* changes in one execution */
    ROOM = CHANGES_MAX,
    FAR = 2,      /* how far a block is moved */
    LONGEST = 8,  /* steps of a block that is added */
    PERIOD = 256, /* executions with one rule of what is kept */
    MORE_MAX = 3, /* preemptions that may come on top of the fewest */
};

struct wander {
    struct journal *journal;
    uint64_t seed;
    uint64_t executions_max; /* 0: no limit */
    bool seeks;
    struct path kept[2]; /* the execution to change is kept[now.which] */
    struct path room;    /* blocks and choices of the execution in flight */
    struct flight *flight;
    struct {
        uint64_t number;
        uint32_t which;
        /* Preemptions of the kept execution; UINT32_MAX: it has not been run here. */
        uint32_t preemptions;
        uint32_t fewest;
        bool ended;
    } now;
};

static void wander_open(void *state, const struct strategy_options *options, struct arena *arena,
                        struct journal *journal)
{
    struct wander *wander = state;
    memset(wander, 0, sizeof *wander);
    wander->journal = journal;
    wander->seed = options->seed;
    wander->executions_max = options->executions_max;
    wander->seeks = options->seeks;
    wander->flight = arena_take(arena, sizeof *wander->flight);
    wander->room = path_take(arena, options->steps_max + ROOM);
    for (int i = 0; i < 2; i++)
        wander->kept[i] = path_take(arena, options->steps_max);
    wander->now.preemptions = wander->now.fewest = UINT32_MAX;
    CHECK(options->start_count <= options->steps_max);
    path_read(&wander->kept[0], options->start, options->start_count);
}

static bool wander_plan(void *state, struct schedule *next)
{
    struct wander *wander = state;
    journal_save(wander->journal, &wander->now, sizeof wander->now);
    next->prefix_count = 0;
    next->check_step = 0;
    next->hint = wander->now.number++;
    next->seed = mix(wander->seed, next->hint);
    return !wander->now.ended;
}

/* Number of steps that a thread has done before a block. */
static uint32_t done_before(const struct path *path, uint32_t at, thread_id thread)
{
    while (at-- > 0)
        if (path->blocks[at].thread == thread)
            return path->blocks[at].until;
    return 0;
}

static void leave_out(struct path *path, uint32_t at)
{
    memmove(path->blocks + at, path->blocks + at + 1,
            (--path->block_count - at) * sizeof *path->blocks);
}

static void bring_in(struct path *path, uint32_t at, struct block block)
{
    memmove(path->blocks + at + 1, path->blocks + at,
            (path->block_count++ - at) * sizeof *path->blocks);
    path->blocks[at] = block;
}

/* Lets a block end anywhere between the end of its thread's block before and that of the block
 * after. */
static void end_elsewhere(struct path *path, uint32_t at, struct rng *rng)
{
    struct block *block = &path->blocks[at];
    uint32_t first = done_before(path, at, block->thread), next = path_block_after(path, at);
    uint32_t last = next < path->block_count ? path->blocks[next].until : block->until;
    if (last > first)
        block->until = first + 1 + rng_below(rng, last - first);
}

static void change(struct path *path, struct rng *rng)
{
    uint32_t at = rng_below(rng, path->block_count);
    struct block block = path->blocks[at];
    switch (rng_below(rng, 4)) {
    case 0:
        leave_out(path, at);
        return;
    case 1:
        end_elsewhere(path, at, rng);
        return;
    case 2: /* moves the block to another place nearby */
        leave_out(path, at);
        at += rng_below(rng, 2 * FAR + 1);
        at = at > FAR ? at - FAR : 0;
        bring_in(path, at < path->block_count ? at : path->block_count, block);
        return;
    default: /* the block's thread also runs elsewhere, for some steps */
        at = rng_below(rng, path->block_count);
        block.until = done_before(path, at, block.thread) + 1 + rng_below(rng, LONGEST);
        bring_in(path, at, block);
        return;
    }
}

static void try_begin(const struct wander *wander, struct pilot *pilot)
{
    const struct path *kept = &wander->kept[wander->now.which];
    struct path path = wander->room;
    path.block_count = kept->block_count;
    path.choice_count = kept->choice_count;
    memcpy(path.blocks, kept->blocks, kept->block_count * sizeof *kept->blocks);
    memcpy(path.choices, kept->choices, kept->choice_count * sizeof *kept->choices);
    bool as_found = pilot->schedule->hint == 0;
    uint32_t changes = as_found ? 0 : 1 + rng_below(&pilot->rng, CHANGES_MAX);
    while (changes-- > 0 && path.block_count > 1)
        change(&path, &pilot->rng);
    flight_begin(wander->flight, &path);
}

static struct decision wander_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct wander *wander = pilot->state;
    if (pilot->position == 0)
        try_begin(wander, pilot);
    return flight_choose(wander->flight, &wander->room, pilot, at);
}

static bool is_good_enough(const struct wander *wander, uint32_t preemptions)
{
    uint32_t more = (uint32_t)(wander->now.number / PERIOD % (MORE_MAX + 1));
    return preemptions <= wander->now.preemptions ||
           (preemptions > more && preemptions - more <= wander->now.fewest);
}

static void wander_learn(void *state, const struct trace *trace)
{
    struct wander *wander = state;
    uint32_t preemptions = trace_costs(trace).preemptions;
    journal_save(wander->journal, &wander->now, sizeof wander->now);
    if (trace->shown && is_good_enough(wander, preemptions)) {
        struct path *path = &wander->kept[1 - wander->now.which];
        journal_save(wander->journal, path, sizeof *path);
        path_of_trace(path, trace);
        wander->now.which = 1 - wander->now.which;
        wander->now.preemptions = preemptions;
        if (preemptions < wander->now.fewest)
            wander->now.fewest = preemptions;
    }
    bool lost = wander->now.preemptions == UINT32_MAX && !wander->seeks;
    wander->now.ended = lost || wander->now.preemptions == 0 ||
                        wander->now.number == wander->executions_max ||
                        trace->outcome == OUTCOME_DIVERGED;
}

static struct progress wander_progress(const void *state)
{
    return (struct progress){.claim = CLAIM_NOTHING, .bound = NO_BOUND};
}

const struct strategy strategy_wander = {
    .name = "wander",
    .summary = "the same finding with fewer preemptions, by random changes",
    .state_size = sizeof(struct wander),
    .open = wander_open,
    .plan = wander_plan,
    .choose = wander_choose,
    .learn = wander_learn,
    .progress = wander_progress,
};
