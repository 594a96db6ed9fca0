/* One execution along a given one, as far as possible. Where the program does other things now, the
 * given execution is a list of blocks (path.h) like any other. For the coordinator, not for
 * users. */
#include <string.h>

#include "strategy/minimise/path.h"

extern const struct strategy strategy_follow;

struct follow {
    struct journal *journal;
    struct path path;
    struct flight *flight;
    bool done;
};

static void follow_open(void *state, const struct strategy_options *options, struct arena *arena,
                        struct journal *journal)
{
    struct follow *follow = state;
    memset(follow, 0, sizeof *follow);
    follow->journal = journal;
    follow->flight = arena_take(arena, sizeof *follow->flight);
    follow->path = path_take(arena, options->steps_max);
    CHECK(options->start_count <= options->steps_max);
    path_read(&follow->path, options->start, options->start_count);
}

static bool follow_plan(void *state, struct schedule *next)
{
    const struct follow *follow = state;
    next->prefix_count = 0;
    next->check_step = 0;
    return !follow->done;
}

static struct decision follow_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct follow *follow = pilot->state;
    if (pilot->position == 0)
        flight_begin(follow->flight, &follow->path);
    return flight_choose(follow->flight, &follow->path, pilot, at);
}

static void follow_learn(void *state, const struct trace *trace)
{
    struct follow *follow = state;
    journal_save(follow->journal, &follow->done, sizeof follow->done);
    follow->done = true;
}

static struct progress follow_progress(const void *state)
{
    return (struct progress){.claim = CLAIM_NOTHING, .bound = NO_BOUND};
}

const struct strategy strategy_follow = {
    .name = "follow",
    .summary = "one execution along a given one",
    .state_size = sizeof(struct follow),
    .open = follow_open,
    .plan = follow_plan,
    .choose = follow_choose,
    .learn = follow_learn,
    .progress = follow_progress,
};
