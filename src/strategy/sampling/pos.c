/* Partial order sampling (Yuan, Yang and Gu 2018): each pending operation has a random priority,
 * and the highest one runs. Operations that conflict with it get new priorities, so that no class
 * is favoured because its operations come late. */
#include "strategy/sampling/events.h"
#include "strategy/sampling/sampler.h"

extern const struct strategy strategy_pos;

struct pos {
    struct sampler sampler;
    struct events *events;
};

static void pos_open(void *state, const struct strategy_options *options, struct arena *arena,
                     struct journal *journal)
{
    struct pos *pos = state;
    sampler_open(&pos->sampler, options, journal);
    pos->events = arena_take(arena, sizeof *pos->events);
}

static bool pos_plan(void *state, struct schedule *next)
{
    struct pos *pos = state;
    return sampler_plan(&pos->sampler, next);
}

static struct decision pos_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct pos *pos = pilot->state;
    events_look(pos->events, pilot, at);
    return sampler_decide(pilot, at, events_take(pos->events, at, &at->enabled));
}

static void pos_learn(void *state, const struct trace *trace) {}

static struct progress pos_progress(const void *state)
{
    return sampler_progress();
}

static bool pos_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct pos *pos = state;
    return sampler_split(&pos->sampler, &strategy_pos, out);
}

static bool pos_adopt(void *state, const struct subtree *subtree)
{
    struct pos *pos = state;
    return sampler_adopt(&pos->sampler, subtree);
}

const struct strategy strategy_pos = {
    .name = "pos",
    .summary = "random priorities of operations, drawn anew on conflict",
    .state_size = sizeof(struct pos),
    .open = pos_open,
    .plan = pos_plan,
    .choose = pos_choose,
    .learn = pos_learn,
    .progress = pos_progress,
    .traits.steady = true,
    .more_points = sampler_more_points,
    .sharing.split = pos_split,
    .sharing.adopt = pos_adopt,
};
