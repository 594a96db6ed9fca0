/* Critical orders: the smallest set of orders such that every execution that keeps them fails, and
 * the nearest execution that passes. For the coordinator, not for users.
 *
 * The search collects executions that pass. First come those that leave the failing one at one
 * step, then random ones that keep the set so far, then all that keep it, as far as they are few.
 * Each one that passes and keeps the set shows that the set is too small. The next set is the
 * smallest that all of them break (orders.h). In the end every smaller set has an execution that
 * keeps it and passes, and no execution that was tried keeps this set and passes. Outcomes of data
 * choices stay as in the failing execution. */
#include "strategy/minimise/critical.h"

#include <string.h>

#include "base/mix.h"
#include "strategy/minimise/path.h"

extern const struct strategy strategy_critical;

enum {
    NEAR_MAX = 2000,    /* limit of executions that leave the failing one at one step */
    NEAR_WAYS = 2,      /* the other thread takes one step, or all that it can */
    SAMPLES = 240,      /* random executions that keep the set */
    ATTEMPTS_MAX = 600, /* limit of random executions, with those that could not keep the set */
    EXHAUST_MAX = 3000,
    STICKY = 8, /* one switch in so many steps, where switches are few */
};

struct tracker { /* State of the execution in flight. */
    struct flight flight;
    uint32_t depth;               /* number of decisions so far, in the depth-first search */
    uint32_t came[ORDERS_MAX][2]; /* how often the earlier and the later event of each pair came */
};

struct critical {
    struct journal *journal;
    uint64_t seed;
    const struct object *objects;
    struct path start; /* the execution to explain */
    struct path room;  /* path of the execution in flight */
    struct critical_result *result;
    struct critical_frame *frames;
    struct tracker *tracker;
};

static void critical_open(void *state, const struct strategy_options *options, struct arena *arena,
                          struct journal *journal)
{
    struct critical *critical = state;
    memset(critical, 0, sizeof *critical);
    critical->journal = journal;
    critical->seed = options->seed;
    critical->objects = options->objects;
    critical->result = arena_take(arena, sizeof *critical->result);
    critical->tracker = arena_take(arena, sizeof *critical->tracker);
    critical->frames = arena_take(arena, options->steps_max * sizeof *critical->frames);
    critical->start = path_take(arena, options->steps_max);
    critical->room = path_take(arena, options->steps_max + 2);
    CHECK(options->start_count <= options->steps_max);
    path_read(&critical->start, options->start, options->start_count);
}

static bool critical_plan(void *state, struct schedule *next)
{
    struct critical *critical = state;
    struct critical_now *now = &critical->result->now;
    journal_save(critical->journal, now, sizeof *now);
    next->prefix_count = 0;
    next->check_step = 0;
    next->hint = now->phase;
    next->seed = mix(critical->seed, now->number++);
    return now->phase != CRITICAL_ENDED;
}

/* Plans the failing execution, left before `step` for another thread. That thread takes one step,
 * or all that it can. */
static void leave_at(const struct critical *critical, uint32_t step, thread_id thread, bool goes_on)
{
    const struct orders *orders = &critical->result->orders;
    uint32_t taken[THREADS_MAX] = {0};
    struct path path = critical->room;
    path.choice_count = critical->start.choice_count;
    memcpy(path.choices, critical->start.choices, path.choice_count * sizeof *path.choices);
    for (uint32_t i = 0; i < orders->now.failing_count; i++) {
        thread_id next = orders->events[i].thread;
        if (i == step)
            path.blocks[path.block_count++] =
                (struct block){.until = goes_on ? UINT32_MAX : taken[thread] + 1, .thread = thread};
        path.blocks[path.block_count++] = (struct block){.until = ++taken[next], .thread = next};
    }
    flight_begin(&critical->tracker->flight, &path);
}

static thread_id nth_other(const thread_set *enabled, thread_id taken, uint32_t n)
{
    THREADS_EACH(thread, enabled)
    {
        if (thread != taken && n-- == 0)
            return thread;
    }
    return NO_THREAD;
}

static void begin(const struct critical *critical, struct pilot *pilot)
{
    const struct orders *orders = &critical->result->orders;
    const struct critical_now *now = &critical->result->now;
    memset(critical->tracker, 0, sizeof *critical->tracker);
    if (now->phase == CRITICAL_NEAR) {
        const struct event *event = &orders->events[now->near_step];
        leave_at(
            critical, now->near_step,
            nth_other(&orders->enabled[now->near_step], event->thread, now->near_next / NEAR_WAYS),
            now->near_next % NEAR_WAYS == 1);
        return;
    }
    if (now->phase == CRITICAL_SAMPLE && now->attempts % 3 == 2) {
        uint32_t step = rng_below(&pilot->rng, orders->now.failing_count);
        const thread_set *enabled = &orders->enabled[step];
        leave_at(critical, step,
                 nth_other(enabled, NO_THREAD, rng_below(&pilot->rng, thread_set_count(enabled))),
                 rng_below(&pilot->rng, 2) == 1);
        return;
    }
    struct path path = critical->room;
    path.block_count = now->phase == CRITICAL_FIRST ? critical->start.block_count : 0;
    path.choice_count = critical->start.choice_count;
    memcpy(path.blocks, critical->start.blocks, path.block_count * sizeof *path.blocks);
    memcpy(path.choices, critical->start.choices, path.choice_count * sizeof *path.choices);
    flight_begin(&critical->tracker->flight, &path);
}

static void watch_pairs(const struct orders *orders, struct tracker *tracker,
                        const struct step *step)
{
    for (uint32_t i = 0; i < orders->now.set_count; i++) {
        const struct pair *pair = &orders->pairs[orders->now.set[i]];
        tracker->came[i][0] += event_is(&orders->events[pair->earlier], step->thread, &step->op);
        tracker->came[i][1] += event_is(&orders->events[pair->later], step->thread, &step->op);
    }
}

/* Whether the thread's operation is the later event of a pair whose earlier event has not come
 * yet. */
static bool would_break(const struct orders *orders, const struct tracker *tracker,
                        thread_id thread, const struct op *op)
{
    for (uint32_t i = 0; i < orders->now.set_count; i++) {
        const struct pair *pair = &orders->pairs[orders->now.set[i]];
        const struct event *earlier = &orders->events[pair->earlier];
        const struct event *later = &orders->events[pair->later];
        if (tracker->came[i][0] <= earlier->occurrence && event_is(later, thread, op) &&
            tracker->came[i][1] == later->occurrence)
            return true;
    }
    return false;
}

static struct decision explore_next(const struct critical *critical, const struct choice_point *at)
{
    struct tracker *tracker = critical->tracker;
    struct critical_frame *frame = &critical->frames[tracker->depth];
    frame->count = (uint16_t)thread_set_count(&at->enabled);
    if (tracker->depth++ >= critical->result->now.frame_count)
        frame->index = 0;
    thread_id thread = thread_set_next_around(&at->enabled, at->last);
    for (uint32_t i = 0; i < frame->index; i++)
        thread = thread_set_next_around(&at->enabled, thread + 1u);
    return flight_take(&tracker->flight, &critical->room, at, thread);
}

static struct decision sample_next(const struct critical *critical, struct pilot *pilot,
                                   const struct choice_point *at)
{
    uint32_t attempt = critical->result->now.attempts;
    thread_id thread = thread_set_next_around(&at->enabled, at->last);
    bool sticks = attempt % 3 == 0 && thread == at->last && rng_below(&pilot->rng, STICKY) != 0;
    if (attempt > 0 && !sticks)
        thread = nth_other(&at->enabled, NO_THREAD,
                           rng_below(&pilot->rng, thread_set_count(&at->enabled)));
    return flight_take(&critical->tracker->flight, &critical->room, at, thread);
}

static struct decision critical_choose(struct pilot *pilot, const struct choice_point *at)
{
    const struct critical *critical = pilot->state;
    const struct orders *orders = &critical->result->orders;
    struct tracker *tracker = critical->tracker;
    enum critical_phase phase = critical->result->now.phase;
    if (pilot->position == 0)
        begin(critical, pilot);
    for (uint32_t step = pilot_first_new(pilot); step < at->step; step++)
        watch_pairs(orders, tracker, &at->steps[step]);
    flight_look(&tracker->flight, pilot, at);
    struct choice_point allowed = *at;
    if (phase == CRITICAL_SAMPLE || phase == CRITICAL_EXHAUST)
        THREADS_EACH(thread, &at->enabled)
    if (would_break(orders, tracker, thread, &at->pending[thread]))
        thread_set_remove(&allowed.enabled, thread);
    if (thread_set_is_empty(&allowed.enabled))
        return (struct decision){.step = at->step, .thread = NO_THREAD};
    if (phase == CRITICAL_EXHAUST)
        return explore_next(critical, &allowed);
    if (phase == CRITICAL_SAMPLE && critical->result->now.attempts % 3 != 2)
        return sample_next(critical, pilot, &allowed);
    return flight_choose(&tracker->flight, &critical->room, pilot, &allowed);
}

static void turn_to(struct critical *critical, enum critical_phase phase)
{
    struct critical_now *now = &critical->result->now;
    now->phase = phase;
    now->attempts = now->frame_count = 0;
    now->tried_before = now->tried;
    if (phase == CRITICAL_NEAR) {
        now->near_step = critical->result->orders.now.failing_count;
        now->near_next = 0;
    }
    if (phase == CRITICAL_SAMPLE)
        now->tried = now->tried_before = 0;
}

/* Turns to the next way to leave the failing execution, from its last step backwards. false: all
 * were taken. */
static bool near_advance(struct critical *critical)
{
    struct critical_now *now = &critical->result->now;
    const struct orders *orders = &critical->result->orders;
    now->near_next++;
    while (now->near_tried < NEAR_MAX) {
        bool here = now->near_step < orders->now.failing_count;
        if (here &&
            nth_other(&orders->enabled[now->near_step], orders->events[now->near_step].thread,
                      now->near_next / NEAR_WAYS) != NO_THREAD) {
            now->near_tried++;
            return true;
        }
        if (now->near_step == 0)
            return false;
        now->near_step--;
        now->near_next = 0;
    }
    return false;
}

/* Turns to the next alternative of the deepest decision that has one. false: all were taken. */
static bool exhaust_advance(struct critical *critical)
{
    struct critical_now *now = &critical->result->now;
    uint32_t depth = critical->tracker->depth;
    while (depth > 0 && critical->frames[depth - 1].index + 1 >= critical->frames[depth - 1].count)
        depth--;
    if (depth == 0)
        return false;
    journal_save(critical->journal, &critical->frames[depth - 1], sizeof *critical->frames);
    critical->frames[depth - 1].index++;
    now->frame_count = depth;
    return true;
}

static void advance(struct critical *critical)
{
    struct critical_now *now = &critical->result->now;
    switch ((enum critical_phase)now->phase) {
    case CRITICAL_FIRST:
        turn_to(critical, CRITICAL_NEAR);
        if (!near_advance(critical))
            turn_to(critical, CRITICAL_SAMPLE);
        return;
    case CRITICAL_NEAR:
        if (!near_advance(critical))
            turn_to(critical, CRITICAL_SAMPLE);
        return;
    case CRITICAL_SAMPLE:
        if (++now->attempts == ATTEMPTS_MAX || now->tried == SAMPLES)
            turn_to(critical, CRITICAL_EXHAUST);
        return;
    case CRITICAL_EXHAUST:
        if (!exhaust_advance(critical)) {
            now->all = true;
            now->tried -= now->tried_before; /* the depth-first search ran those again */
            now->phase = CRITICAL_ENDED;
        } else if (++now->attempts == EXHAUST_MAX) {
            now->phase = CRITICAL_ENDED;
        }
        return;
    case CRITICAL_ENDED:
        return;
    }
    UNREACHABLE();
}

static bool is_whole(const struct trace *trace)
{
    return trace->outcome == OUTCOME_FINISHED || trace->outcome == OUTCOME_DEADLOCK ||
           trace->outcome == OUTCOME_LIVELOCK || trace->outcome == OUTCOME_FAILED;
}

static void critical_learn(void *state, const struct trace *trace)
{
    struct critical *critical = state;
    struct critical_now *now = &critical->result->now;
    struct orders *orders = &critical->result->orders;
    journal_save(critical->journal, now, sizeof *now);
    journal_save(critical->journal, &orders->now, sizeof orders->now);
    bool first = now->phase == CRITICAL_FIRST;
    if (first)
        now->shown = trace->shown && orders_begin(orders, critical->objects, trace);
    if (trace->outcome == OUTCOME_DIVERGED || !now->shown) {
        now->phase = CRITICAL_ENDED;
        return;
    }
    bool passes = trace->outcome == OUTCOME_FINISHED && !trace->shown;
    bool counts = !first && is_whole(trace) && orders_kept(orders, trace);
    bool too_small = counts && passes;
    if (passes)
        orders_pass(orders, critical->objects, trace);
    if (orders->now.full) {
        now->phase = CRITICAL_ENDED;
        now->tried = 0;
    } else if (too_small && now->phase != CRITICAL_NEAR) {
        turn_to(critical, CRITICAL_SAMPLE);
    } else {
        now->tried += counts && !passes;
        advance(critical);
    }
}

static struct progress critical_progress(const void *state)
{
    return (struct progress){.claim = CLAIM_NOTHING, .bound = NO_BOUND};
}

const struct strategy strategy_critical = {
    .name = "critical",
    .summary = "which orders of steps make an execution fail",
    .state_size = sizeof(struct critical),
    .open = critical_open,
    .plan = critical_plan,
    .choose = critical_choose,
    .learn = critical_learn,
    .progress = critical_progress,
};
