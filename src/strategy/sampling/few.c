/* A few random preemptions: the scheduler that never interrupts, with one or two interruptions.
 *
 * Most bugs need one or two preemptions (Musuvathi and Qadeer 2007), but a systematic search visits
 * similar places for them one after another. Here the places are drawn, each decision with equal
 * chance. Half of the executions have one preemption, a quarter two, and so on. The next thread is
 * drawn too. Half of the time, so is the thread that runs when another one ends or waits. */
#include <string.h>

#include "strategy/sampling/sampler.h"

extern const struct strategy strategy_few;

enum { PREEMPTIONS_MAX = 8, FORGETS = 16 };

struct places { /* Places of preemptions in the execution in flight. */
    uint32_t at[PREEMPTIONS_MAX];
    uint32_t count;
    uint32_t decision; /* number of the next decision */
};

struct few {
    struct sampler sampler;
    struct places *places;
    uint64_t decisions; /* most decisions of recent executions */
};

static void few_open(void *state, const struct strategy_options *options, struct arena *arena,
                     struct journal *journal)
{
    struct few *few = state;
    memset(few, 0, sizeof *few);
    sampler_open(&few->sampler, options, journal);
    few->places = arena_take(arena, sizeof *few->places);
}

static bool few_plan(void *state, struct schedule *next)
{
    struct few *few = state;
    return sampler_plan(&few->sampler, next);
}

static void draw_places(const struct few *few, struct rng *rng)
{
    struct places *places = few->places;
    uint32_t coins = rng_below(rng, 1u << PREEMPTIONS_MAX);
    places->decision = 0;
    places->count = few->decisions > 0 ? 1 : 0;
    for (; places->count > 0 && places->count < PREEMPTIONS_MAX && (coins & 1); coins >>= 1)
        places->count++;
    for (uint32_t i = 0; i < places->count; i++)
        places->at[i] = rng_below(rng, (uint32_t)few->decisions);
}

static bool is_place(const struct places *places, uint32_t decision)
{
    for (uint32_t i = 0; i < places->count; i++)
        if (places->at[i] == decision)
            return true;
    return false;
}

static thread_id any_of(struct rng *rng, const thread_set *set)
{
    uint32_t nth = rng_below(rng, thread_set_count(set));
    thread_id thread = thread_set_next(set, 0);
    while (nth-- > 0)
        thread = thread_set_next(set, thread + 1u);
    return thread;
}

static struct decision few_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct few *few = pilot->state;
    if (pilot->position == 0)
        draw_places(few, &pilot->rng);
    pilot_looked(pilot, at);
    thread_set others = at->enabled;
    thread_set_remove(&others, at->last);
    bool place = is_place(few->places, few->places->decision++);
    bool is_free = !thread_set_has(&at->enabled, at->last) || at->last_gave_way;
    thread_id thread = thread_set_next_around(&at->enabled, at->last);
    if (place && !thread_set_is_empty(&others))
        thread = any_of(&pilot->rng, &others);
    else if (is_free && rng_below(&pilot->rng, 2) == 0)
        thread = any_of(&pilot->rng, &at->enabled);
    return sampler_decide(pilot, at, thread);
}

static void few_learn(void *state, const struct trace *trace)
{
    struct few *few = state;
    uint64_t decisions = 0;
    for (uint32_t i = 0; i < trace->count; i++)
        decisions += trace->steps[i].alternatives > 1;
    journal_save(few->sampler.journal, &few->decisions, sizeof few->decisions);
    /* Some executions end early, so the maximum is forgotten only slowly. */
    few->decisions -= few->decisions / FORGETS;
    if (few->decisions < decisions)
        few->decisions = decisions;
}

static struct progress few_progress(const void *state)
{
    return sampler_progress();
}

static bool few_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct few *few = state;
    return sampler_split(&few->sampler, &strategy_few, out);
}

static bool few_adopt(void *state, const struct subtree *subtree)
{
    struct few *few = state;
    return sampler_adopt(&few->sampler, subtree);
}

const struct strategy strategy_few = {
    .name = "few",
    .summary = "one or two preemptions, or a few more, at random steps",
    .state_size = sizeof(struct few),
    .open = few_open,
    .plan = few_plan,
    .choose = few_choose,
    .learn = few_learn,
    .watch = few_learn,
    .progress = few_progress,
    .more_points = sampler_more_points,
    .sharing.split = few_split,
    .sharing.adopt = few_adopt,
};
