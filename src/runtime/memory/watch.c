#include "runtime/memory/watch.h"

#include "base/mix.h"
#include "runtime/memory/await.h"
#include "runtime/memory/round.h"
#include "runtime/memory/wander.h"
#include "runtime/scheduler.h"
#include "runtime/snapshot/digest.h"
#include "runtime/stuck.h"

enum { FIRST = 1000, VISITS = 256, STEPS_FIRST = 75, DIGESTS_FIRST = 8, SURE = 4 };

struct watch {
    struct digest *digest;
    uint32_t steps_max;            /* to be watched, unless it comes back */
    uint32_t digests, digests_max; /* taken of memory, without coming back to one */
    uint32_t sure, shortest;       /* how often a livelock was come to; its shortest round */
    uint32_t steps;                /* that were looked at */
    uint64_t outside;              /* changes of what is not in memory */
    uint64_t written;              /* visits before which memory was written */
    uint32_t visits;
    uint64_t states[VISITS]; /* of the threads, at the last visits */
    struct visit {
        uint64_t memory; /* 0: not known yet */
        uint64_t written;
        uint32_t left_out;
        uint32_t end;    /* steps up to there */
    } last[VISITS];
};

/* Kinds that change only the program's memory, or what threads are about to do. */
static const bool in_memory[OP_KINDS] = {
    [OP_JOIN_TRY] = true,         [OP_JOIN_TIMED] = true,      [OP_YIELD] = true,
    [OP_SLEEP] = true,            [OP_CHOOSE] = true,          [OP_CANCEL_TEST] = true,
    [OP_SIGNAL_LOOK] = true,      [OP_MUTEX_LOCK] = true,      [OP_MUTEX_TRYLOCK] = true,
    [OP_MUTEX_TIMEDLOCK] = true,  [OP_MUTEX_UNLOCK] = true,    [OP_COND_WAIT] = true,
    [OP_COND_WAKE] = true,        [OP_COND_SIGNAL] = true,     [OP_COND_BROADCAST] = true,
    [OP_RWLOCK_READ] = true,      [OP_RWLOCK_TRYREAD] = true,  [OP_RWLOCK_TIMEDREAD] = true,
    [OP_RWLOCK_UNREAD] = true,    [OP_RWLOCK_QUEUE] = true,    [OP_RWLOCK_WRITE] = true,
    [OP_RWLOCK_TRYWRITE] = true,  [OP_RWLOCK_TIMEDWRITE] = true, [OP_RWLOCK_UNWRITE] = true,
    [OP_SPIN_LOCK] = true,        [OP_SPIN_TRYLOCK] = true,    [OP_SPIN_UNLOCK] = true,
    [OP_BARRIER_ARRIVE] = true,   [OP_BARRIER_LEAVE] = true,   [OP_SEM_WAIT] = true,
    [OP_SEM_TRYWAIT] = true,      [OP_SEM_TIMEDWAIT] = true,   [OP_SEM_POST] = true,
    [OP_SEM_VALUE] = true,        [OP_ONCE] = true,            [OP_ONCE_DONE] = true,
    [OP_STREAM_LOCK] = true,      [OP_STREAM_TRYLOCK] = true,  [OP_STREAM_UNLOCK] = true,
    [OP_FUTEX_WAIT] = true,       [OP_FUTEX_WAKE] = true,      [OP_FUTEX_SIGNAL] = true,
    [OP_FILE_POLL] = true,        [OP_ATOMIC_LOAD] = true,     [OP_ATOMIC_STORE] = true,
    [OP_ATOMIC_UPDATE] = true,    [OP_ATOMIC_COMPARE] = true,  [OP_READ] = true,
    [OP_WRITE] = true,            [OP_HAPPENS_BEFORE] = true,  [OP_HAPPENS_AFTER] = true,
};

static bool watches(void)
{
    return ex.attention & ATTENTION_WATCH;
}

static void be_due(uint32_t steps)
{
    uint32_t end = rt.options->replay_livelock ? the_board->replay_count : rt.trace.capacity;
    ex.due = steps < end ? steps : end;
}

void watch_open(void)
{
    ex.watch = NULL;
    ex.wander = NULL;
    be_due(FIRST);
}

/* Each time after twice as many steps, and for longer: a loop that never ends is still there then, and
 * other executions are not slowed down by much. */
void watch_begin(void)
{
    if (ex.watch == NULL) {
        ex.watch = execution_take(sizeof *ex.watch);
        ex.watch->steps_max = STEPS_FIRST;
        ex.watch->digests_max = DIGESTS_FIRST;
        ex.watch->outside = ex.watch->written = 0;
    }
    struct watch *watch = ex.watch;
    watch->digest = digest_begin();
    watch->digests = watch->visits = 0;
    watch->sure = 0;
    watch->steps = rt.trace.count;
    rt.attention = ex.attention |= ATTENTION_WATCH;
    be_due(rt.trace.count + watch->steps_max);
    for (thread_id thread = 0; thread < ex.thread_count; thread++)
        ex.threads[thread].place = ex.threads[thread].frame = ex.threads[thread].place_site = 0;
}

void watch_end(void)
{
    rt.attention = ex.attention &= (uint8_t)~ATTENTION_WATCH;
    be_due(2 * rt.trace.count);
    ex.watch->steps_max *= 2;
    ex.watch->digests_max *= 2;
}

void watch_outside(void)
{
    if (unlikely(watches()))
        ex.watch->outside++;
}

static void look_at_steps(struct watch *watch)
{
    for (; watch->steps < rt.trace.count; watch->steps++) {
        const struct step *step = &rt.trace.steps[watch->steps];
        watch->outside += !in_memory[step->op.kind] && !(step->flags & STEP_FAILED);
    }
}

static uint64_t thread_state(thread_id thread)
{
    const struct thread *who = &ex.threads[thread];
    const struct op *op = &ex.pending[thread];
    uint64_t flags = who->signalled | who->timed << 1 | who->doubted << 2 | who->interrupted << 3 |
                     who->cancel.requested << 4 | who->cancel.disabled << 5 |
                     who->cancel.asynchronous << 6 | who->cancel.woken << 7;
    uint64_t state = mix(who->place, (uint64_t)op->kind | (uint64_t)op->choices << 16 |
                                         (uint64_t)op->object << 32);
    state = mix(mix(state, op->second), op->site);
    state = mix(state, flags | (uint64_t)who->asleep << 8 | (uint64_t)who->interruption << 16 |
                           (uint64_t)(who->await.turn != NOT_AWAITING) << 24 |
                           (uint64_t)who->atomic_depth << 32);
    state = mix(mix(state, who->signals.blocked), who->signals.pending);
    state = mix(mix(state, who->timeout_site), who->yield_site);
    if (thread_is_waiting(thread) && who->deadline > ex.time)
        state = mix(state, who->deadline - ex.time);
    for (uint32_t i = 0; who->yielding && i < THREAD_WORDS; i++)
        state = mix(state, who->yields_to.word[i] + 1);
    return state;
}

static uint64_t threads_state(struct watch *watch)
{
    uint64_t state = mix(ex.current, watch->outside);
    bool written = false;
    THREADS_EACH(thread, &ex.live) {
        state = mix(state, thread_state(thread) + thread);
        written |= ex.threads[thread].await.wrote & WROTE_IN_ROUND;
        await_clear(&ex.threads[thread].await, WROTE_IN_ROUND);
    }
    watch->written += written;
    return state;
}

/* A thread that has not moved since is as it was, but others may have written to its stack. */
static uint64_t memory_state(const struct watch *watch)
{
    uint64_t memory = digest_memory(watch->digest);
    if (memory == 0)
        return 0;
    THREADS_EACH(thread, &ex.live) {
        const struct thread *who = &ex.threads[thread];
        uintptr_t low = who->frame != 0 ? who->frame : (uintptr_t)who->sp;
        memory += digest_range((const char *)low, rt.stacks[thread].start);
    }
    return memory | 1;
}

/* The last visit in the same state; none, with an end of 0, if there was none or its memory is another one
 * or not known. */
static struct visit visit_before(struct watch *watch, uint64_t state)
{
    uint32_t count = watch->visits < VISITS ? watch->visits : VISITS;
    struct visit now = {.written = watch->written, .left_out = ex.left_out,
                        .end = rt.trace.count};
    bool met = false;
    for (uint32_t i = 0; i < count; i++)
        met |= watch->states[i] == state;
    if (met)
        now.memory = memory_state(watch);
    for (uint32_t i = 0; met && now.memory != 0 && i < count; i++) {
        struct visit *before = &watch->last[i];
        if (watch->states[i] != state || before->memory != now.memory)
            continue;
        struct visit found = *before;
        *before = now;
        return found;
    }
    watch->digests += met;
    watch->states[watch->visits % VISITS] = state;
    watch->last[watch->visits++ % VISITS] = now;
    return (struct visit){.end = 0};
}

static void came_back(struct watch *watch, const struct visit *before)
{
    uint32_t from = before->end, length = rt.trace.count - from;
    be_due(rt.trace.count + watch->steps_max);
    if (!round_takes_all(from)) {
        round_let_others(from);
        return;
    }
    bool forced = before->left_out == ex.left_out && round_is_forced(from);
    bool same = the_board->options.instrumented && watch->written == before->written;
    if (length <= ROUND_MAX && (forced || (same && round_sees_same(from)))) {
        if (watch->sure++ == 0 || length < watch->shortest)
            watch->shortest = length;
        bool early = rt.options->replay && rt.position < rt.schedule.prefix_count;
        if (!early && watch->sure > SURE && (length == watch->shortest || watch->sure > 2 * SURE))
            thread_goes_round(length);
    } else {
        wander_begin();
    }
}

/* Nobody is left out for having given way: what can run in a state is known by that state. */
static void forget_yields(void)
{
    THREADS_EACH(thread, &ex.live)
        ex.threads[thread].yielding = false;
    ex.yielding_count = 0;
}

static void look_back(struct watch *watch)
{
    struct visit before = visit_before(watch, threads_state(watch));
    if (before.end != 0)
        came_back(watch, &before);
    else if (watch->digests > watch->digests_max)
        watch_end();
}

void watch_call(const struct local *local)
{
    struct thread *me = ex.me;
    if (!watches())
        return;
    me->place = local_hash(local);
    me->place_site = local->site;
    me->frame = local->frame;
}

void watch_operation(void)
{
    struct watch *watch = ex.watch;
    struct thread *me = ex.me;
    look_at_steps(watch);
    if (me->place_site != ex.pending[ex.current].site)
        me->place = me->frame = 0;
    if (me->place == 0)
        watch->outside++; /* it may be anywhere */
    bool known = me->place != 0 && me->state != THREAD_STARTING && ex.armed_count == 0;
    if (known && !wanders())
        look_back(watch);
    if (wanders()) {
        forget_yields();
        wander_visit(threads_state(watch), known ? memory_state(watch) : 0);
    }
}
