/* Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte 2010).
 *
 * Each thread has a random priority, and the highest one that is enabled runs. At d - 1 random
 * steps the thread that has just run falls below all others. With n threads and k steps an
 * execution shows a bug of depth d with a probability of at least 1 / (n k^(d-1)). n and k are the
 * largest that were seen so far, so the promise holds for the executions after the last that showed
 * more. */
#include <string.h>

#include "strategy/sampling/sampler.h"

extern const struct strategy strategy_pct;

enum { DEPTH_DEFAULT = 3, DEPTH_MAX = 64 };

struct priorities {            /* Priorities in the execution in flight. */
    uint64_t of[THREADS_MAX];  /* 0: not drawn yet; below DEPTH_MAX: the thread fell */
    uint32_t falls[DEPTH_MAX]; /* numbers of the steps after which a thread falls */
};

struct pct {
    struct sampler sampler;
    uint32_t depth;
    struct priorities *priorities;
    struct guarantee now; /* n, k, and the number of executions that they hold for */
};

static void pct_open(void *state, const struct strategy_options *options, struct arena *arena,
                     struct journal *journal)
{
    struct pct *pct = state;
    memset(pct, 0, sizeof *pct);
    sampler_open(&pct->sampler, options, journal);
    pct->depth = options->bound == NO_BOUND ? DEPTH_DEFAULT : (uint32_t)options->bound;
    CHECK(pct->depth >= 1);
    CHECK(pct->depth <= DEPTH_MAX);
    pct->priorities = arena_take(arena, sizeof *pct->priorities);
    pct->now.depth = pct->depth;
    pct->now.threads = pct->now.steps = 1;
}

static bool pct_plan(void *state, struct schedule *next)
{
    struct pct *pct = state;
    return sampler_plan(&pct->sampler, next);
}

static void draw(const struct pct *pct, struct rng *rng)
{
    struct priorities *priorities = pct->priorities;
    memset(priorities->of, 0, sizeof priorities->of);
    for (uint32_t i = 0; i + 1 < pct->depth; i++)
        priorities->falls[i] = 1 + rng_below(rng, pct->now.steps);
}

/* Lets the thread fall that took the step of this number. The thread of the first such point falls
 * least. */
static void fall(const struct pct *pct, uint32_t number, thread_id thread)
{
    for (uint32_t i = 0; i + 1 < pct->depth; i++)
        if (pct->priorities->falls[i] == number)
            pct->priorities->of[thread] = pct->depth - 1 - i;
}

static struct decision pct_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct pct *pct = pilot->state;
    uint64_t *of = pct->priorities->of;
    if (pilot->position == 0)
        draw(pct, &pilot->rng);
    for (uint32_t step = pilot_first_new(pilot); step < at->step; step++)
        fall(pct, step + 1, at->steps[step].thread);
    pilot_looked(pilot, at);
    thread_id best = NO_THREAD;
    THREADS_EACH(thread, &at->enabled)
    {
        if (of[thread] == 0)
            of[thread] = rng_next(&pilot->rng) | 1ul << 63;
        if (best == NO_THREAD || of[thread] > of[best])
            best = thread;
    }
    return sampler_decide(pilot, at, best);
}

static void pct_watch(void *state, const struct trace *trace)
{
    struct pct *pct = state;
    journal_save(pct->sampler.journal, &pct->now, sizeof pct->now);
    if (trace->count > pct->now.steps || trace->thread_count > pct->now.threads)
        pct->now.executions = 0;
    if (trace->count > pct->now.steps)
        pct->now.steps = trace->count;
    if (trace->thread_count > pct->now.threads)
        pct->now.threads = trace->thread_count;
}

static void pct_learn(void *state, const struct trace *trace)
{
    struct pct *pct = state;
    bool more = trace->count > pct->now.steps || trace->thread_count > pct->now.threads;
    pct_watch(state, trace);
    pct->now.executions += !more;
}

/* Earlier executions promise nothing: they had fewer scheduling points. */
static void pct_more_points(void *state)
{
    struct pct *pct = state;
    journal_save(pct->sampler.journal, &pct->now, sizeof pct->now);
    pct->now.executions = 0;
}

static struct progress pct_progress(const void *state)
{
    const struct pct *pct = state;
    struct progress progress = sampler_progress();
    progress.guarantee = pct->now;
    return progress;
}

static bool pct_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct pct *pct = state;
    return sampler_split(&pct->sampler, &strategy_pct, out);
}

static bool pct_adopt(void *state, const struct subtree *subtree)
{
    struct pct *pct = state;
    return sampler_adopt(&pct->sampler, subtree);
}

const struct strategy strategy_pct = {
    .name = "pct",
    .summary = "random priorities that change at --bound minus 1 random steps (bound 3)",
    .traits.bound_name = "depth",
    .traits.bound_min = 1,
    .state_size = sizeof(struct pct),
    .open = pct_open,
    .plan = pct_plan,
    .choose = pct_choose,
    .learn = pct_learn,
    .watch = pct_watch,
    .progress = pct_progress,
    .more_points = pct_more_points,
    .sharing.split = pct_split,
    .sharing.adopt = pct_adopt,
};
