#include "runtime/progress/watch.h"

#include <string.h>

#include "base/mix.h"
#include "runtime/engine/able.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/local_state.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/symmetry.h"
#include "runtime/engine/upper.h"
#include "runtime/progress/round.h"
#include "runtime/progress/round_search.h"
#include "runtime/snapshot/digest.h"
#include "runtime/snapshot/program_state.h"

enum { FIRST = 1000, VISITS = 4096, DIGESTS_FIRST = 8, RETURNS = 64 };
enum { PAGES_TO_WANDER = 1 << 19 }; /* to be looked at, to lead an execution through all orders */
enum { MARKS = 1 << 16, STEPS_FIRST = 75, SURE = 4 };

/* Digests cost as much as there is to look at: no more of it than so much for each step so far. */
enum { PAGES_PER_STEP = 16 };

struct visit {
    uint64_t memory; /* 0: not known yet */
    uint64_t written;
    uint32_t left_out;
    uint32_t end; /* steps up to there */
};

struct watch {
    struct digest *digest;
    struct still *still;
    uint32_t steps_max;            /* to be watched, unless it comes back */
    uint32_t digests, digests_max; /* taken of memory, without coming back to one */
    uint64_t pages_left;           /* to be looked at */
    uint32_t returns;        /* to a state; the first ones are worth looking at more of them */
    uint32_t sure, shortest; /* how often a livelock was come to; its shortest round */
    uint32_t steps;          /* that were looked at */
    uint64_t outside;        /* changes of what is not in memory */
    uint64_t written;        /* visits before which memory was written */
    uint32_t visits;
    uint64_t marks[MARKS / 64]; /* a bit for the hash of each state that was met */
    uint64_t *states;           /* of the threads, at the last visits */
    struct visit *last;         /* VISITS at most */
};

static uint32_t steps_end(void)
{
    return rt.options->replay_end != REPLAY_ENDS_ITSELF ? the_board->replay_count
                                                        : rt.trace.capacity;
}

static void be_due(uint32_t steps)
{
    uint32_t end = steps_end();
    ex.due = steps < end ? steps : end;
}

void watch_open(void)
{
    ex.progress.watch = NULL;
    ex.progress.wander = NULL;
    be_due(rt.options->plain_loops ? UINT32_MAX : FIRST);
}

/* Each time after twice as many steps, and for four times as long: a loop that never ends is still
 * there then, and other executions are not slowed down by much. */
void watch_begin(void)
{
    if (ex.progress.watch == NULL) {
        ex.progress.watch = execution_take(sizeof *ex.progress.watch);
        ex.progress.watch->states =
            execution_take_as_is(VISITS * sizeof *ex.progress.watch->states);
        ex.progress.watch->last = execution_take_as_is(VISITS * sizeof *ex.progress.watch->last);
        ex.progress.watch->steps_max = STEPS_FIRST;
        ex.progress.watch->digests_max = DIGESTS_FIRST;
        ex.progress.watch->outside = ex.progress.watch->written = 0;
        ex.progress.watch->still = still_make();
    }
    struct watch *watch = ex.progress.watch;
    watch->digest = digest_begin();
    watch->digests = watch->visits = 0;
    watch->sure = watch->returns = 0;
    watch->pages_left = (uint64_t)PAGES_PER_STEP * rt.trace.count;
    watch->steps = rt.trace.count;
    rt.attention = ex.attention |= ATTENTION_WATCH;
    be_due(rt.trace.count + watch->steps_max);
    for (thread_id thread = 0; thread < ex.thread_count; thread++)
        ex.threads[thread].progress.place = ex.threads[thread].progress.frame =
            ex.threads[thread].progress.place_site = 0;
}

void watch_end(void)
{
    rt.attention = ex.attention &= (uint8_t)~ATTENTION_WATCH;
    be_due(2 * rt.trace.count);
    uint32_t longer = 4 * ex.progress.watch->steps_max;
    ex.progress.watch->steps_max = longer < rt.trace.count ? longer : rt.trace.count;
    ex.progress.watch->digests_max *= 8;
}

void watch_outside(void)
{
    if (unlikely(watch_is_on()))
        ex.progress.watch->outside++;
}

static void look_at_steps(struct watch *watch)
{
    for (; watch->steps < rt.trace.count; watch->steps++) {
        const struct step *step = &rt.trace.steps[watch->steps];
        watch->outside += !op_traits(step->op.kind)->inside && !(step->flags & STEP_FAILED);
    }
}

/* A wait for a file without a limit has a deadline that never comes. */
static bool has_deadline(const struct thread *who)
{
    return who->deadline > ex.clock.time && who->deadline != FILE_NEVER;
}

static uint64_t thread_state(thread_id thread)
{
    const struct thread *who = &ex.threads[thread];
    const struct op *op = &ex.pending[thread];
    uint64_t flags = who->signalled | who->timed << 1 | who->progress.doubted << 2 |
                     who->time.interrupted << 3 | who->cancel.requested << 4 |
                     who->cancel.disabled << 5 | who->cancel.asynchronous << 6 |
                     who->cancel.woken << 7;
    uint64_t state = mix(who->progress.place, (uint64_t)op->kind | (uint64_t)op->choices << 16 |
                                                  (uint64_t)op->object << 32);
    state = mix(mix(state, op->second), op->site);
    state = mix(state, flags | (uint64_t)who->time.asleep << 8 |
                           (uint64_t)who->time.interruption << 16 |
                           (uint64_t)(who->await.turn != NOT_AWAITING) << 24 |
                           (uint64_t)who->atomic_depth << 32);
    state = mix(state, signals_state(thread));
    state = mix(mix(state, who->time.timeout_site), who->progress.yield_site);
    state = mix(state, who->process.randoms);
    uint64_t label[sizeof who->process.label / sizeof(uint64_t)];
    memcpy(label, who->process.label, sizeof label);
    state = mix(mix(state, label[0]), label[1]);
    if (thread_is_waiting(thread) && has_deadline(who))
        state = mix(state, who->deadline - ex.clock.time);
    for (uint32_t i = 0; who->yielding && i < THREAD_WORDS; i++)
        state = mix(state, who->yields_to.word[i] + 1);
    return state;
}

static uint64_t threads_state(struct watch *watch)
{
    uint64_t state = mix(mix(ex.current, watch->outside), signals_state(NO_THREAD));
    state = mix(state, ex.sync.spurious);
    if (unlikely(ex.timers.set))
        state = mix(state, timers_state());
    bool written = false;
    THREADS_EACH(thread, &ex.live)
    {
        state = mix(state, thread_state(thread) + thread);
        written |= ex.threads[thread].await.wrote & WROTE_IN_ROUND;
        await_clear(&ex.threads[thread].await, WROTE_IN_ROUND);
    }
    watch->written += written;
    return state;
}

/* A digest of memory and of the stacks of all threads: others may have written to the stack of a
 * thread that has not run since the last visit. 0: it is not known. */
static uint64_t watch_memory(struct watch *watch)
{
    the_board->flight.looks++;
    uint64_t files = files_still(watch->still);
    files = mix(files, streams_still(watch->still));
    uint64_t memory = digest_memory(watch->digest, &watch->pages_left);
    if (!files_stir(watch->still) || memory == 0)
        return 0;
    memory += files;
    THREADS_EACH(thread, &ex.live)
    {
        const struct thread *who = &ex.threads[thread];
        if (who->time.timer != NULL)
            continue; /* it has no stack */
        uintptr_t low = who->progress.frame != 0 ? who->progress.frame : (uintptr_t)who->sp;
        memory += digest_range((const char *)low, rt.stacks[thread].start);
    }
    return memory | 1;
}

static struct visit visit_now(const struct watch *watch)
{
    return (struct visit){
        .written = watch->written, .left_out = ex.progress.left_out, .end = rt.trace.count};
}

/* Two marks for each state: few that were not met have both. */
static bool is_marked(const struct watch *watch, uint64_t state)
{
    uint64_t other = state >> 32;
    return watch->marks[state % MARKS / 64] >> state % 64 &
           watch->marks[other % MARKS / 64] >> other % 64 & 1;
}

static void mark(struct watch *watch, uint64_t state)
{
    uint64_t other = state >> 32;
    watch->marks[state % MARKS / 64] |= 1ul << state % 64;
    watch->marks[other % MARKS / 64] |= 1ul << other % 64;
}

/* The last visit in the same state; none, with an end of 0, if there was none or its memory is
 * another one or not known. */
static struct visit visit_before(struct watch *watch, uint64_t state)
{
    uint32_t count = watch->visits < VISITS ? watch->visits : VISITS;
    struct visit now = visit_now(watch);
    bool met = false;
    bool marked = is_marked(watch, state);
    for (uint32_t i = 0; marked && i < count; i++)
        met |= watch->states[i] == state;
    if (met)
        now.memory = watch_memory(watch);
    for (uint32_t i = 0; met && now.memory != 0 && i < count; i++) {
        struct visit *before = &watch->last[i];
        if (watch->states[i] != state || before->memory != now.memory)
            continue;
        struct visit found = *before;
        *before = now;
        return found;
    }
    watch->digests += met;
    mark(watch, state);
    watch->states[watch->visits % VISITS] = state;
    watch->last[watch->visits++ % VISITS] = now;
    return (struct visit){.end = 0};
}

static bool goes_on_alike(const struct watch *watch, const struct visit *before)
{
    uint32_t from = before->end;
    bool forced = before->left_out == ex.progress.left_out && round_is_forced(from);
    bool same = the_board->options.instrumented && watch->written == before->written;
    return forced || (same && rt.trace.count - from <= ROUND_MAX && round_sees_same(from));
}

/* In a replay it is over when its steps are, and goes the same way until then. */
static bool may_be_over(void)
{
    return !rt.options->replay ||
           (rt.options->replay_end != REPLAY_IS_CUT && rt.position >= rt.schedule.prefix_count);
}

static void came_back(struct watch *watch, const struct visit *before)
{
    uint32_t from = before->end, length = rt.trace.count - from;
    be_due(rt.trace.count + watch->steps_max);
    if (watch->returns++ < RETURNS)
        watch->pages_left = (uint64_t)PAGES_PER_STEP * rt.trace.count;
    if (!round_takes_all(from)) {
        round_let_others(from);
    } else if (goes_on_alike(watch, before)) {
        if (watch->sure++ == 0 || length < watch->shortest)
            watch->shortest = length;
        if (may_be_over() && watch->sure > SURE &&
            (length == watch->shortest || watch->sure > 2 * SURE))
            thread_goes_round(length);
    } else {
        watch->pages_left = PAGES_TO_WANDER;
        wander_begin();
    }
}

/* Nobody is left out for having given way: what can run in a state is known by that state. */
static void forget_yields(void)
{
    THREADS_EACH(thread, &ex.live)
    ex.threads[thread].yielding = YIELDS_NOT;
    ex.yielding_count = 0;
}

static void look_back(struct watch *watch)
{
    uint64_t state = threads_state(watch);
    struct visit before = visit_before(watch, state);
    if (before.end != 0)
        came_back(watch, &before);
    else if (watch->pages_left == 0 || watch->digests > watch->digests_max)
        watch_end();
}

void watch_call(const struct local *local)
{
    struct thread *me = ex.me;
    if (ex.attention & ATTENTION_TWINS)
        symmetry_call(local);
    if (states_are_compared())
        state_call(local);
    if (!watch_is_on())
        return;
    local_compare();
    me->progress.place = local_hash(local);
    me->progress.place_site = local->site;
    me->progress.frame = local->frame;
}

bool watch_keep(struct watch_place *out)
{
    const struct thread *me = ex.me;
    if (likely(!watch_is_on()))
        return false;
    *out = (struct watch_place){
        .place = me->progress.place, .site = me->progress.place_site, .frame = me->progress.frame};
    return true;
}

void watch_put_back(const struct watch_place *kept)
{
    struct thread *me = ex.me;
    if (!watch_is_on())
        return;
    me->progress.place = kept->place;
    me->progress.place_site = kept->site;
    me->progress.frame = kept->frame;
}

void watch_timer(void)
{
    struct watch *watch = ex.progress.watch;
    look_at_steps(watch);
    forget_yields();
    wander_visit(threads_state(watch), watch_memory(watch));
}

void watch_operation(void)
{
    struct watch *watch = ex.progress.watch;
    struct thread *me = ex.me;
    look_at_steps(watch);
    if (me->progress.place_site != ex.pending[ex.current].site)
        me->progress.place = me->progress.frame = 0;
    if (me->progress.place == 0)
        watch->outside++; /* it may be anywhere */
    bool known = me->progress.place != 0 && me->state != THREAD_STARTING;
    if (known && !wanders())
        look_back(watch);
    if (wanders()) {
        forget_yields();
        wander_visit(threads_state(watch), known ? watch_memory(watch) : 0);
    }
}
