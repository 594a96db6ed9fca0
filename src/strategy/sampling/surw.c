/* Selectively uniform random walk (Zhao, Wolff, Mathur and Roychoudhury 2025).
 *
 * The first executions count how often each thread touches each shared object. From the second on
 * each execution picks one of these objects; operations on it are interesting. The thread of the
 * next interesting operation is drawn by how many of them each thread has left. So all their orders
 * are equally likely, as far as the counts are right; a thread with more operations than were
 * counted still gets its turn. A thread that comes to an interesting operation out of turn waits.
 * All else is a random walk. Operations of threads that do not exist yet count for the thread that
 * is to create them.
 *
 * Objects with many orders are picked more often. In one execution of three, and where no object is
 * shared, every operation is interesting. */
#include <string.h>

#include "strategy/sampling/sampler.h"
#include "strategy/waiting.h"

extern const struct strategy strategy_surw;

enum { PROFILES = 3, USES_MAX = 2048, SHARED_MAX = 256, ALL_OF = 3, RACES_COUNT = 3 };
#define NO_INTEREST UINT64_MAX /* hint: a random walk, for counting */

struct profile {
    uint32_t thread_count, use_count;
    uint16_t all[THREADS_MAX];     /* number of operations of each thread */
    thread_id parent[THREADS_MAX]; /* NO_THREAD: its creation was not seen */
    struct use {
        uint32_t object;
        thread_id thread;
        uint16_t count;
        bool races; /* some accesses are plain ones that race */
    } uses[USES_MAX];
    uint32_t shared_count;
    uint32_t shared[SHARED_MAX]; /* objects that several threads touch */
    /* 16 times the log2 of the number of orders of the object's operations. */
    uint32_t weights[SHARED_MAX];
};

struct race_track { /* State of the execution in flight. */
    /* Interesting operations of each thread still to come, as counted before. */
    uint32_t left[THREADS_MAX];
    uint32_t created; /* number of threads so far */
    thread_id next;   /* thread of the next interesting operation; NO_THREAD: to be drawn */
};

struct surw {
    struct sampler sampler;
    struct profile *profiles[2];
    struct race_track *track;
    struct {
        uint64_t learnt;
        uint64_t which; /* index of the profile in use; the other one is written next */
    } now;
};

static void surw_open(void *state, const struct strategy_options *options, struct arena *arena,
                      struct journal *journal)
{
    struct surw *surw = state;
    memset(surw, 0, sizeof *surw);
    sampler_open(&surw->sampler, options, journal);
    surw->track = arena_take(arena, sizeof *surw->track);
    for (int i = 0; i < 2; i++)
        surw->profiles[i] = arena_take(arena, sizeof *surw->profiles[i]);
}

static uint32_t draw_object(const struct profile *profile, struct rng *rng)
{
    uint32_t total = 0, at = 0;
    for (uint32_t i = 0; i < profile->shared_count; i++)
        total += profile->weights[i];
    uint32_t left = rng_below(rng, total);
    while (left >= profile->weights[at])
        left -= profile->weights[at++];
    return profile->shared[at];
}

static bool surw_plan(void *state, struct schedule *next)
{
    struct surw *surw = state;
    const struct profile *profile = surw->profiles[surw->now.which];
    if (!sampler_plan(&surw->sampler, next))
        return false;
    struct rng rng = {.state = ~next->seed};
    if (surw->now.learnt == 0)
        next->hint = NO_INTEREST;
    else if (profile->shared_count > 0 && rng_below(&rng, ALL_OF) > 0)
        next->hint = draw_object(profile, &rng);
    return true;
}

/* Whether an operation is interesting. A release is not: it never loses a race. */
static bool is_interesting(const struct op *op, uint64_t hint)
{
    return hint == 0 || (op->object == hint && !op_releases(op->kind));
}

static void begin(struct race_track *track, const struct profile *profile, uint64_t hint)
{
    for (uint32_t i = 0; i < THREADS_MAX; i++)
        track->left[i] = hint == 0 && i < profile->thread_count ? profile->all[i] : 0;
    for (uint32_t i = 0; hint != 0 && i < profile->use_count; i++)
        if (profile->uses[i].object == hint)
            track->left[profile->uses[i].thread] = profile->uses[i].count;
    track->created = 1;
    track->next = NO_THREAD;
}

/* Operations that a thread has left, with those of its descendants that do not exist yet. */
static uint32_t weight(const struct race_track *track, const struct profile *profile,
                       thread_id thread)
{
    uint32_t sum = track->left[thread];
    for (uint32_t i = track->created; i < profile->thread_count; i++) {
        thread_id ancestor = profile->parent[i];
        while (ancestor != NO_THREAD && ancestor >= track->created)
            ancestor = profile->parent[ancestor];
        sum += ancestor == thread ? track->left[i] : 0;
    }
    return sum;
}

/* Draws a thread by weights, which are listed in the order of `among`: so the program's stack holds
 * no more of them than there are threads. */
static thread_id draw(struct rng *rng, const uint32_t *weights, const thread_set *among)
{
    uint32_t count = thread_set_count(among), i = 0;
    uint64_t total = 0;
    for (uint32_t k = 0; k < count; k++)
        total += weights[k];
    bool even = total == 0;
    uint32_t left = rng_below(rng, even ? count : (uint32_t)total);
    THREADS_EACH(thread, among)
    {
        uint32_t own = even ? 1 : weights[i];
        if (left < own)
            return thread;
        left -= own;
        i++;
    }
    UNREACHABLE();
}

static void draw_next(struct race_track *track, const struct profile *profile, struct rng *rng,
                      const thread_set *among)
{
    uint32_t weights[thread_set_count(among) + 1], i = 0;
    THREADS_EACH(thread, among)
    weights[i++] = weight(track, profile, thread);
    track->next = draw(rng, weights, among);
}

/* Draws the thread of the next interesting operation. A thread that has one pending counts even if
 * no more were counted. */
static void draw_at(struct race_track *track, const struct profile *profile, struct pilot *pilot,
                    const struct choice_point *at, const thread_set *among)
{
    uint32_t weights[thread_set_count(among) + 1], i = 0;
    THREADS_EACH(thread, among)
    {
        uint32_t own = weight(track, profile, thread);
        if (own == 0 && thread_set_has(&at->enabled, thread))
            own = is_interesting(&at->pending[thread], pilot->schedule->hint);
        weights[i++] = own;
    }
    track->next = draw(&pilot->rng, weights, among);
}

/* A new thread takes its own operations from its creator's share. */
static void divide(struct race_track *track, const struct profile *profile, struct rng *rng,
                   thread_id parent, thread_id child)
{
    thread_set both = {0};
    thread_set_add(&both, parent);
    thread_set_add(&both, child);
    if (track->next == parent)
        draw_next(track, profile, rng, &both);
}

static void follow(struct race_track *track, const struct profile *profile, struct pilot *pilot,
                   const struct choice_point *at)
{
    uint64_t hint = pilot->schedule->hint;
    for (uint32_t i = pilot_first_new(pilot); i < at->step; i++) {
        const struct step *step = &at->steps[i];
        if (is_interesting(&step->op, hint)) {
            track->left[step->thread] -= track->left[step->thread] > 0;
            if (track->next == step->thread)
                track->next = NO_THREAD;
        }
        if (step->op.kind == OP_CREATE && !(step->flags & STEP_FAILED) &&
            track->created < THREADS_MAX)
            divide(track, profile, &pilot->rng, step->thread, (thread_id)track->created++);
    }
    pilot_looked(pilot, at);
    THREADS_EACH(thread, &at->enabled) /* threads that exist from the beginning */
    if (thread >= track->created)
        track->created = thread + 1u;
}

static thread_set all_created(const struct race_track *track)
{
    thread_set set = {0};
    for (uint32_t i = 0; i < track->created; i++)
        thread_set_add(&set, (thread_id)i);
    return set;
}

static thread_id pick(struct race_track *track, const struct profile *profile, struct pilot *pilot,
                      const struct choice_point *at)
{
    uint64_t hint = pilot->schedule->hint;
    if (track->next == NO_THREAD) {
        thread_set created = all_created(track);
        draw_at(track, profile, pilot, at, &created);
    }
    thread_set may = at->enabled;
    THREADS_EACH(thread, &at->enabled)
    if (thread != track->next && is_interesting(&at->pending[thread], hint))
        thread_set_remove(&may, thread);
    if (thread_set_is_empty(&may)) { /* the thread that was drawn is disabled */
        draw_at(track, profile, pilot, at, &at->enabled);
        return track->next;
    }
    uint32_t nth = rng_below(&pilot->rng, thread_set_count(&may));
    thread_id thread = thread_set_next(&may, 0);
    while (nth-- > 0)
        thread = thread_set_next(&may, thread + 1u);
    return thread;
}

static struct decision surw_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct surw *surw = pilot->state;
    const struct profile *profile = surw->profiles[surw->now.which];
    if (pilot->schedule->hint == NO_INTEREST)
        return decision_nth(at, rng_below(&pilot->rng, at->alternatives));
    if (pilot->position == 0)
        begin(surw->track, profile, pilot->schedule->hint);
    follow(surw->track, profile, pilot, at);
    return sampler_decide(pilot, at, pick(surw->track, profile, pilot, at));
}

static void count_up(uint16_t *count)
{
    *count += *count < UINT16_MAX;
}

/* Finds or adds the use of an object by a thread. NULL: there is no room for another one. */
static struct use *find_use(struct profile *profile, uint32_t object, thread_id thread)
{
    for (uint32_t i = 0; i < profile->use_count; i++)
        if (profile->uses[i].object == object && profile->uses[i].thread == thread)
            return &profile->uses[i];
    if (profile->use_count == USES_MAX)
        return NULL;
    struct use *use = &profile->uses[profile->use_count++];
    *use = (struct use){.object = object, .thread = thread};
    return use;
}

static void count_steps(struct profile *profile, const struct trace *trace)
{
    uint32_t created = 1;
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct step *step = &trace->steps[i];
        const struct op *op = &step->op;
        count_up(&profile->all[step->thread]);
        if (op->kind == OP_CREATE && !(step->flags & STEP_FAILED) && created < THREADS_MAX)
            profile->parent[created++] = step->thread;
        if (op->object == NO_OBJECT || op_releases(op->kind) || op_concerns_thread(op->kind))
            continue;
        struct use *use = find_use(profile, op->object, step->thread);
        if (use != NULL) {
            count_up(&use->count);
            use->races |= op->kind == OP_READ || op->kind == OP_WRITE;
        }
    }
}

static void keep_most(uint16_t *count, uint16_t other)
{
    *count = *count > other ? *count : other;
}

/* Keeps the largest counts of all executions: an execution that ended early counted too little. */
static void merge(struct profile *profile, const struct profile *other)
{
    for (uint32_t i = 0; i < other->thread_count; i++) {
        keep_most(&profile->all[i], other->all[i]);
        if (profile->parent[i] == NO_THREAD)
            profile->parent[i] = other->parent[i];
    }
    for (uint32_t i = 0; i < other->use_count; i++) {
        struct use *use = find_use(profile, other->uses[i].object, other->uses[i].thread);
        if (use != NULL) {
            keep_most(&use->count, other->uses[i].count);
            use->races |= other->uses[i].races;
        }
    }
}

static struct profile *make_profile(const struct surw *surw, const struct trace *trace)
{
    const struct profile *old = surw->profiles[surw->now.which];
    struct profile *new = surw->profiles[1 - surw->now.which];
    new->use_count = 0;
    new->thread_count =
        trace->thread_count > old->thread_count ? trace->thread_count : old->thread_count;
    for (uint32_t i = 0; i < new->thread_count; i++) {
        new->all[i] = 0;
        new->parent[i] = NO_THREAD;
    }
    count_steps(new, trace);
    merge(new, old);
    return new;
}

/* Whether this is the second use of its object: then several threads touch it. */
static bool is_second(const struct profile *profile, uint32_t use)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < use; i++)
        before += profile->uses[i].object == profile->uses[use].object;
    return before == 1;
}

/* 16 times the log2, linear between powers of two. */
static uint32_t logarithm(uint32_t number)
{
    uint32_t whole = 31 - (uint32_t)__builtin_clz(number);
    return 16 * whole + (uint32_t)((((uint64_t)number << 4) >> whole) - 16);
}

static uint32_t logarithm_of_factorial(uint32_t number)
{
    uint32_t sum = 0;
    for (uint32_t i = 2; i <= number; i++)
        sum += logarithm(i);
    return sum;
}

/* Weight of an object: the logarithm of n! / (n1! n2! …), since objects with few orders must get
 * their turn, too. Racing accesses weigh more, since the program itself orders them in no way. */
static uint32_t weigh(const struct profile *profile, uint32_t object)
{
    uint32_t all = 0, same = 0;
    bool races = false;
    for (uint32_t i = 0; i < profile->use_count; i++)
        if (profile->uses[i].object == object) {
            all += profile->uses[i].count;
            same += logarithm_of_factorial(profile->uses[i].count);
            races |= profile->uses[i].races;
        }
    return (logarithm_of_factorial(all) - same) * (races ? RACES_COUNT : 1);
}

static void find_shared(struct profile *profile)
{
    profile->shared_count = 0;
    for (uint32_t i = 0; i < profile->use_count && profile->shared_count < SHARED_MAX; i++)
        if (is_second(profile, i)) {
            uint32_t object = profile->uses[i].object;
            profile->weights[profile->shared_count] = weigh(profile, object);
            profile->shared[profile->shared_count++] = object;
        }
}

static void count(struct surw *surw, const struct trace *trace, uint64_t learnt)
{
    find_shared(make_profile(surw, trace));
    journal_save(surw->sampler.journal, &surw->now, sizeof surw->now);
    surw->now.learnt = learnt;
    surw->now.which = 1 - surw->now.which;
}

static void surw_learn(void *state, const struct trace *trace)
{
    struct surw *surw = state;
    if (surw->now.learnt < PROFILES)
        count(surw, trace, surw->now.learnt + 1);
}

/* Learns from another strategy's execution, in place of the random walk only: an execution without
 * preemptions, for example, may say little of what threads do. */
static void surw_watch(void *state, const struct trace *trace)
{
    struct surw *surw = state;
    if (surw->now.learnt == 0)
        count(surw, trace, 1);
}

/* Counts again: there are more operations. */
static void surw_more_points(void *state)
{
    struct surw *surw = state;
    journal_save(surw->sampler.journal, &surw->now, sizeof surw->now);
    surw->now.learnt = 0;
}

static struct progress surw_progress(const void *state)
{
    return sampler_progress();
}

static bool surw_split(void *state, const struct trace *trace, struct parcel *out)
{
    struct surw *surw = state;
    return sampler_split(&surw->sampler, &strategy_surw, out);
}

static bool surw_adopt(void *state, const struct subtree *subtree)
{
    struct surw *surw = state;
    return sampler_adopt(&surw->sampler, subtree);
}

const struct strategy strategy_surw = {
    .name = "surw",
    .summary = "orders of the operations on a randomly chosen object, all equally likely",
    .state_size = sizeof(struct surw),
    .open = surw_open,
    .plan = surw_plan,
    .choose = surw_choose,
    .learn = surw_learn,
    .watch = surw_watch,
    .progress = surw_progress,
    .more_points = surw_more_points,
    .sharing.split = surw_split,
    .sharing.adopt = surw_adopt,
};
