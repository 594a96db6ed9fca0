#include "runtime/scheduler.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/board.h"
#include "runtime/fiber/fiber.h"
#include "runtime/frames.h"
#include "runtime/memory/await.h"
#include "runtime/memory/cycle.h"
#include "runtime/memory/memory.h"
#include "runtime/model/alert.h"
#include "runtime/model/model.h"
#include "runtime/model/process.h"
#include "runtime/model/signal.h"
#include "runtime/model/timer.h"
#include "runtime/object.h"
#include "runtime/refuse.h"
#include "runtime/snapshot/maps.h"

enum {
    PATIENCE = 1 << 20,
    TURNING_STEPS = 1000 /* at the end of an execution that is too long, for a livelock */
};

static const uint8_t after[THREAD_STATES] = {
    [THREAD_UNUSED] = 1 << THREAD_STARTING | 1 << THREAD_LIVE,
    [THREAD_STARTING] = 1 << THREAD_LIVE | 1 << THREAD_ENDED,
    [THREAD_LIVE] = 1 << THREAD_ENDED,
    [THREAD_ENDED] = 0,
};

static void set_state(struct thread *thread, enum thread_state next)
{
    CHECK(after[thread->state] >> next & 1);
    thread->state = (uint8_t)next;
}

static void set_current(thread_id thread)
{
    ex.current = thread;
    ex.me = &ex.threads[thread];
    race_switch(&ex.race, thread);
}

static void let_go(struct thread *thread)
{
    __atomic_store_n(&thread->go, 1, __ATOMIC_RELEASE);
    os_call(SYS_futex, (long)&thread->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

void thread_wait_go(struct thread *thread)
{
    while (__atomic_exchange_n(&thread->go, 0, __ATOMIC_ACQUIRE) == 0)
        os_call(SYS_futex, (long)&thread->go, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

static void hand_over(struct thread *from, thread_id to)
{
    set_current(to);
    struct thread *next = &ex.threads[to];
    if (unlikely(rt.kernel_threads)) {
        let_go(next);
        thread_wait_go(from);
        return;
    }
    fiber_switch(&from->sp, next->sp, next->fs);
}

static _Noreturn void hand_over_for_ever(thread_id to)
{
    set_current(to);
    struct thread *next = &ex.threads[to];
    if (rt.kernel_threads) {
        let_go(next);
        for (;;)
            os_call(SYS_exit, 0, 0, 0, 0, 0, 0);
    }
    void *nowhere;
    fiber_switch(&nowhere, next->sp, next->fs);
    UNREACHABLE();
}

static bool is_timer(thread_id thread)
{
    return ex.pending[thread].kind == OP_TIMER_EXPIRE;
}

static bool others_ended(void)
{
    thread_set others = ex.live;
    THREADS_EACH(other, &ex.live) /* of several that leave, one comes first */
        if (ex.pending[other].kind == OP_EXIT || is_timer(other))
            thread_set_remove(&others, other);
    return thread_set_is_empty(&others);
}

static bool is_last(thread_id thread)
{
    THREADS_EACH(other, &ex.live)
        if (other != thread && !is_timer(other))
            return false;
    return true;
}

/* Kinds of operation that may have to wait. */
enum waits { WAITS_NEVER, WAITS, WAITS_IF_AWAITING };
static const uint8_t may_wait[OP_KINDS] = {
#define WAITING(kind, condition) [OP_##kind] = WAITS,
#define AWAITING(kind) [OP_##kind] = WAITS_IF_AWAITING,
#include "runtime/model/waiting.def"
#undef WAITING
#undef AWAITING
};

static __attribute__((noinline)) bool need_not_wait(thread_id thread)
{
    const struct op *op = &ex.pending[thread];
    const struct thread *who = &ex.threads[thread];
    switch (op->kind) {
    case OP_COND_SIGNAL:
    case OP_FUTEX_SIGNAL: return true;
#define WAITING(kind, condition) \
    case OP_##kind: return condition;
#define AWAITING(kind) \
    case OP_##kind: return await_is_idle(&who->await);
#include "runtime/model/waiting.def"
#undef WAITING
#undef AWAITING
    }
    UNREACHABLE();
}

/* Most of these are about a mutex: they are answered here. */
static inline __attribute__((always_inline)) bool can_run(thread_id thread)
{
    struct execution *now = &ex;
    const struct op *op = &now->pending[thread];
    if (op->kind == OP_MUTEX_LOCK) {
        const pthread_mutex_t *mutex = now->threads[thread].mutex;
        return mutex->__data.__lock == 0 || mutex_can_lock(mutex, thread);
    }
    return !may_wait[op->kind] || need_not_wait(thread);
}

/* It waits, or would time out if it were carried out now. */
bool thread_is_waiting(thread_id thread)
{
    const struct thread *who = &ex.threads[thread];
    switch (ex.pending[thread].kind) {
    case OP_SLEEP: return who->deadline > ex.time;
    case OP_COND_WAKE: return !who->signalled && !who->cancel.woken;
    case OP_FUTEX_WAKE: return !who->signalled;
    case OP_SEM_TIMEDWAIT: return !semaphore_can_wait(who->mutex);
    case OP_MUTEX_TIMEDLOCK: return !mutex_can_lock(who->mutex, thread);
    case OP_RWLOCK_TIMEDREAD: return !rwlock_can_read(who->mutex, thread);
    case OP_RWLOCK_TIMEDWRITE: return !rwlock_can_write(who->mutex, thread);
    case OP_JOIN_TIMED: return ex.threads[ex.pending[thread].second].state != THREAD_ENDED;
    case OP_SIGNAL_WAIT: return !signal_is_there(thread);
    case OP_FILE_READ:
    case OP_FILE_WRITE:
    case OP_FILE_POLL:
    case OP_ACCEPT:
    case OP_CONNECT: return file_is_waiting(who->mutex);
    }
    return !can_run(thread);
}

/* Timers expire in order, and time does not pass one by: whoever sleeps or waits for longer goes on
 * after it. One that would end the program, a watchdog, bites when nobody else can go on. */
static __attribute__((noinline, cold)) void leave_out_by_time(thread_set *enabled)
{
    uint64_t first = timer_first();
    thread_set all = *enabled;
    THREADS_EACH(thread, &all) {
        bool late = is_timer(thread) ? !timer_is_first(thread)
                                     : ex.threads[thread].deadline > first &&
                                           thread_is_waiting(thread);
        if (late)
            thread_set_remove(enabled, thread);
    }
    thread_set without = *enabled;
    THREADS_EACH(thread, enabled)
        if (is_timer(thread) && timer_is_watchdog(thread))
            thread_set_remove(&without, thread);
    if (!thread_set_is_empty(&without))
        *enabled = without;
}

/* Who gave way runs again when all others had a step or cannot have one. */
static __attribute__((noinline, cold)) void leave_out_yielding(thread_set *enabled)
{
    thread_set able = *enabled;
    THREADS_EACH(thread, &able)
        if (ex.threads[thread].yielding &&
            thread_set_meets(&ex.threads[thread].yields_to, &able))
            thread_set_remove(enabled, thread);
}

/* Operations whose outcomes are as many as the moment allows. */
static const bool counted[OP_KINDS] = {
    [OP_COND_SIGNAL] = true,  [OP_FUTEX_SIGNAL] = true, [OP_PROCESS_WAIT] = true,
    [OP_SIGNAL_SEND] = true,  [OP_TIMER_EXPIRE] = true, [OP_FILE_CLOSE] = true,
};

static __attribute__((noinline)) uint16_t count_choices(thread_id thread)
{
    switch (ex.pending[thread].kind) {
    case OP_COND_SIGNAL: return cond_choices(ex.threads[thread].mutex);
    case OP_FUTEX_SIGNAL: return futex_choices(thread);
    case OP_PROCESS_WAIT: return process_choices(thread);
    case OP_SIGNAL_SEND:
    case OP_TIMER_EXPIRE: return signal_choices(thread);
    case OP_FILE_CLOSE: return file_close_choices(thread);
    }
    UNREACHABLE();
}

static inline __attribute__((always_inline)) uint32_t choices_of(thread_id thread)
{
    struct execution *now = &ex;
    struct op *op = &now->pending[thread];
    if (unlikely(counted[op->kind]))
        op->choices = count_choices(thread);
    return op->choices;
}

struct able { /* who can run, and how many alternatives that makes */
    thread_set *enabled;
    uint32_t alternatives;
    uint32_t kept; /* nobody else can run: inside of an atomic section; no padding, it is copied */
};

static __attribute__((noinline, cold)) void leave_some_out(struct able *able)
{
    if (ex.armed_count > 0)
        leave_out_by_time(able->enabled);
    leave_out_yielding(able->enabled);
    able->alternatives = schedule_alternatives(able->enabled, ex.pending);
}

/* The first `words` of the sets are in use. */
static inline __attribute__((always_inline)) struct able find_able(thread_set *into, uint32_t words)
{
    struct execution *now = &ex;
    uint32_t alternatives = 0;
    for (uint32_t word = 0; word < words; word++) {
        uint64_t enabled = now->by_readiness[READY].word[word];
        alternatives += (uint32_t)__builtin_popcountl(enabled);
        for (uint64_t left = now->by_readiness[ASKED].word[word]; left != 0; left &= left - 1) {
            thread_id thread = (thread_id)(word * 64 + (uint32_t)__builtin_ctzl(left));
            uint32_t choices = choices_of(thread);
            if (!can_run(thread))
                continue;
            enabled |= left & -left;
            alternatives += choices;
        }
        into->word[word] = enabled;
    }
    for (uint32_t word = words; word < THREAD_WORDS; word++)
        into->word[word] = 0;
    if (unlikely(now->yielding_count > 0 || now->armed_count > 0)) {
        struct able able = {.enabled = into, .alternatives = alternatives};
        leave_some_out(&able);
        return able;
    }
    return (struct able){.enabled = into, .alternatives = alternatives};
}

/* Inside of bohr_atomic_begin and _end: as long as the thread can go on, nobody else can. Before
 * its first operation there the section has not begun for the others. */
static __attribute__((noinline, cold)) struct able keep_atomic(struct able able)
{
    bool entered = ex.me->atomic_entered;
    ex.me->atomic_entered = true;
    if (!entered || !thread_set_has(able.enabled, ex.current))
        return able;
    *able.enabled = (thread_set){0};
    thread_set_add(able.enabled, ex.current);
    able.alternatives = ex.pending[ex.current].choices;
    able.kept = true;
    return able;
}

static __attribute__((noinline, cold)) void stop_yielding(thread_id stepping)
{
    struct thread *me = &ex.threads[stepping];
    if (me->yielding) {
        me->yielding = false;
        ex.yielding_count--;
    }
    THREADS_EACH(thread, &ex.live)
        thread_set_remove(&ex.threads[thread].yields_to, stepping);
}

static _Noreturn void stuck(bool livelock, const char *why, uint32_t cycle)
{
    uint64_t places = 0; /* the same whoever comes first */
    THREADS_EACH(thread, &ex.live)
        places += mix(ex.pending[thread].site, ex.pending[thread].kind);
    thread_id first = thread_set_next(&ex.live, 0);
    struct finding *finding =
        finding_add(livelock ? FINDING_LIVELOCK : FINDING_DEADLOCK, why, ex.pending[first].site,
                    places);
    if (finding != NULL) {
        finding->thread = NO_THREAD;
        finding->places[0].thread = first;
        finding->cycle = cycle;
    }
    execution_end(livelock ? OUTCOME_LIVELOCK : OUTCOME_DEADLOCK);
}

/* Something that we do not see (libc's own state, uninstrumented code) may let a waiting thread go
 * on: before a livelock is reported each gets one more turn. */
static bool doubt_an_await(void)
{
    THREADS_EACH(thread, &ex.live) {
        struct thread *who = &ex.threads[thread];
        if (who->await.turn == NOT_AWAITING || who->doubted)
            continue;
        who->doubted = true;
        who->await.reads[0] = who->await.reads[who->await.turn]; /* the pending read begins it */
        who->await.turn = NOT_AWAITING;
        who->await.count = 0;
        return true;
    }
    return false;
}

/* The last steps, if they are one turn of each thread that waits for values; else 0. */
static uint32_t awaiting_cycle(void)
{
    uint32_t left[THREADS_MAX] = {0}, total = 0;
    THREADS_EACH(thread, &ex.live) {
        const struct await *await = &ex.threads[thread].await;
        if (await->turn != NOT_AWAITING)
            total += left[thread] = await->count - await->turn;
    }
    if (total > rt.trace.count)
        return 0;
    for (uint32_t i = rt.trace.count - total; i < rt.trace.count; i++)
        if (left[rt.trace.steps[i].thread]-- == 0)
            return 0;
    return total;
}

static _Noreturn void nobody_can_run(void)
{
    if (thread_set_is_empty(&ex.live)) {
        rt.trace.status = 0;
        execution_end(OUTCOME_FINISHED);
    }
    bool livelock = false;
    THREADS_EACH(thread, &ex.live)
        livelock |= ex.threads[thread].await.turn != NOT_AWAITING;
    stuck(livelock, livelock ? "threads wait for values that nobody will change"
                             : "threads wait for each other or for nobody",
          livelock ? awaiting_cycle() : 0);
}

_Noreturn void thread_livelock(uint32_t cycle)
{
    stuck(true, "threads try in vain for ever: what they try for does not change", cycle);
}

_Noreturn void thread_goes_round(uint32_t cycle)
{
    stuck(true, "threads go round for ever: what they look for does not change", cycle);
}

static bool changes_nothing(const struct step *step)
{
    return op_gives_way(step->op.kind) || op_access(step->op.kind) == OP_ACCESS_READ ||
           step->flags & STEP_FAILED;
}

/* The last steps were nothing but turns of loops that give way, each like the one before. */
static bool turns_for_ever(void)
{
    uint32_t given[THREADS_MAX] = {0};
    if (rt.trace.count < TURNING_STEPS || !the_board->options.instrumented)
        return false;
    for (uint32_t i = rt.trace.count - TURNING_STEPS; i < rt.trace.count; i++) {
        const struct step *step = &rt.trace.steps[i];
        if (!changes_nothing(step) || !thread_set_has(&ex.live, step->thread))
            return false;
        given[step->thread] += op_gives_way(step->op.kind);
    }
    THREADS_EACH(thread, &ex.live)
        if (can_run(thread) &&
            (given[thread] == 0 || await_turns(&ex.threads[thread].await) < given[thread]))
            return false;
    return true;
}

static __attribute__((noinline, cold)) _Noreturn void diverge(const char *what)
{
    finding_nondeterminism(what);
    execution_end(OUTCOME_DIVERGED);
}

static void check_listed(const struct decision *decision, struct able able)
{
    const struct schedule *schedule = &rt.schedule;
    if (schedule->check_step == decision->step && decision->step > 0 &&
        schedule->check != schedule_check(ex.fingerprint))
        diverge("the steps before a decision are not those of the last time");
    if (!thread_set_has(able.enabled, decision->thread))
        diverge("a thread that ran here before cannot run now");
    if (decision->choice >= ex.pending[decision->thread].choices)
        diverge("a data choice that was taken here before is not there now");
}

/* The decision that the schedule lists for this step. */
static __attribute__((noinline)) struct decision listed(struct able able)
{
    struct decision decision = rt.schedule.prefix[rt.position++];
    schedule_look_ahead();
    check_listed(&decision, able);
    return decision;
}

static __attribute__((noinline)) struct decision ask(uint32_t step, struct able able)
{
    struct choice_point at;
    at.step = step;
    at.last = ex.current;
    at.last_gave_way = ex.last_gave_way;
    at.enabled = *able.enabled;
    at.pending = ex.pending;
    at.steps = rt.trace.steps;
    at.touches = rt.trace.touches;
    at.alternatives = able.alternatives;
    if (unlikely(rt.options->cache))
        class_so_far(at.class);
    return rt.choose(&rt.pilot, &at);
}

static struct decision choose(uint32_t step, struct able able)
{
    if (rt.by_default || rt.next_listed != NOTHING_LISTED)
        return (struct decision){
            .step = step, .thread = thread_set_next_around(able.enabled, ex.current)};
    return ask(step, able);
}

static inline __attribute__((always_inline)) struct decision decide(uint32_t step, struct able able)
{
    struct decision decision =
        unlikely(step == rt.next_listed) ? listed(able) : choose(step, able);
    if (unlikely(decision.thread == NO_THREAD))
        execution_end(OUTCOME_CUT_STRATEGY);
    struct flight *flight = &the_board->flight;
    uint32_t count = likely(ex.thread_count <= 64)
                         ? (uint32_t)__builtin_popcountl(able.enabled->word[0])
                         : thread_set_count(able.enabled);
    if (count > flight->enabled_max)
        flight->enabled_max = count;
    flight->points += count > 1;
    return decision;
}

_Static_assert(offsetof(struct step, thread) == offsetof(struct step, choice) + 2 &&
                   offsetof(struct step, alternatives) == offsetof(struct step, choice) + 4 &&
                   offsetof(struct step, flags) == offsetof(struct step, choice) + 6,
               "stored in one");

static const uint64_t kind_facts[OP_KINDS] = {
#define OP(name, word, access, scope) [OP_##name] = 0x9fb21c651e98df25 * (OP_##name + 1ul),
#include "core/op.def"
#undef OP
};

/* The set of enabled threads is in the step already. What the thread is about to do becomes part of
 * its history: at once, or with what it touches. */
static inline __attribute__((always_inline)) void record(struct step *step, struct decision decision,
                                                         uint32_t alternatives)
{
    struct execution *now = &ex;
    struct runtime *run = &rt;
    const struct op *op = &now->pending[decision.thread];
    struct thread *who = &now->threads[decision.thread];
    uint64_t what = (uint64_t)decision.choice | (uint64_t)decision.thread << 16;
    uint64_t kind = op->kind;
    uint64_t all = what | (uint64_t)(uint16_t)alternatives << 32;
    uint64_t order = 0, fact = kind_facts[kind];
    step->op = *op;
    __builtin_memcpy(&step->choice, &all, sizeof all);
    step->fingerprint = (uint32_t)now->fingerprint;
    if (unlikely(decision.choice != 0) && kind != OP_COND_SIGNAL) /* which names whom it wakes */
        fact += 0xd6e8feb86659fd93 * decision.choice;
    if (who->object != NULL) {
        order = who->object->order;
        who->fact = fact + who->object->name;
    } else {
        note(who, fact);
    }
    now->last_gave_way = op_gives_way(kind);
    now->fingerprint = mix_chain(now->fingerprint, what | order << 32 | kind << 56, MIX_FIRST);
    if (unlikely(run->options->detail))
        frames_keep(decision.step, decision.thread);
    if (unlikely(now->turns != NULL))
        cycle_step(decision.thread, op, decision.choice);
    run->trace.count = *run->sign_of_life = decision.step + 1;
}

/* … or nothing but timers, whose signals are handled and let nobody go on. */
static bool only_timers_go_on(void)
{
    if (rt.trace.count < TURNING_STEPS)
        return false;
    for (uint32_t i = rt.trace.count - TURNING_STEPS; i < rt.trace.count; i++) {
        uint8_t kind = rt.trace.steps[i].op.kind;
        if (kind != OP_TIMER_EXPIRE && kind != OP_SIGNAL_HANDLE)
            return false;
    }
    return true;
}

static __attribute__((noinline, cold)) _Noreturn void too_many_steps(void)
{
    if (only_timers_go_on())
        stuck(false, "threads wait for each other or for nobody, and only timers go on", 0);
    if (turns_for_ever())
        stuck(true, "threads give way to each other for ever, and nothing changes",
              cycle_length());
    execution_end(OUTCOME_CUT_STEPS);
}

static __attribute__((noinline, cold)) struct able find_somebody(thread_set *into)
{
    struct able able;
    do {
        if (!doubt_an_await())
            nobody_can_run();
        able = find_able(into, THREAD_WORDS);
    } while (thread_set_is_empty(into));
    return able;
}

static __attribute__((noinline)) thread_id pick(void);

/* Every later execution begins here, with another trace. */
static __attribute__((noinline, cold)) thread_id pick_after_checkpoint(void)
{
    rt.call = CALL_CHECKPOINT;
    fiber_switch(&ex.me->sp, rt.driver_sp, rt.driver_fs);
    return pick();
}

/* They also change what other threads are about to do. */
static const bool strikes[OP_KINDS] = {
    [OP_PROCESS] = true,      [OP_PROCESS_WAIT] = true, [OP_CANCEL] = true,
    [OP_SIGNAL_SEND] = true,  [OP_SIGNAL_WAIT] = true,  [OP_SIGNAL_SLEEP] = true,
    [OP_TIMER_SET] = true,    [OP_TIMER_EXPIRE] = true,
};

/* Whoever gave way was held back by what all others did. */
static __attribute__((noinline, cold)) void note_step(struct step *step, bool inside)
{
    uint32_t number = rt.trace.count - 1;
    step->touches_end = trace_touches_begin(rt.trace.steps, number);
    step->op.before = 0;
    const struct thread *thread = &ex.threads[step->thread];
    if (op_depends_on_all(step->op.kind) || thread->yielding || thread->atomic_depth > 0)
        step->flags |= STEP_ALL;
    if (inside)
        step->flags |= STEP_INSIDE;
    if (strikes[step->op.kind])
        the_board->flight.unreduced = 1;
    if (step->op.kind == OP_SLEEP)
        step_moves_time();
}

static inline __attribute__((always_inline)) thread_id pick_among(uint32_t words)
{
    struct runtime *run = &rt;
    struct execution *now = &ex;
    uint32_t count = run->trace.count;
    struct step beyond;
    struct step *step = likely(count < run->trace.capacity) ? &run->trace.steps[count] : &beyond;
    struct able able = find_able(&step->enabled, words);
    if (unlikely(now->me->atomic_depth > 0))
        able = keep_atomic(able);
    if (unlikely(able.alternatives == 0))
        able = find_somebody(&step->enabled);
    if (unlikely(count >= run->trace.capacity))
        too_many_steps();
    struct decision decision = {.step = count};
    if (able.alternatives > 1 && unlikely(run->checkpoint_wanted))
        return pick_after_checkpoint();
    if (able.alternatives > 1 || unlikely(run->notes && count != run->next_listed))
        decision = decide(count, able);
    else if (unlikely(count == run->next_listed))
        decision = listed(able);
    else
        decision.thread = thread_set_next(able.enabled, 0);
    record(step, decision, able.alternatives);
    if (unlikely(run->notes))
        note_step(step, able.kept);
    if (unlikely(now->yielding_count > 0))
        stop_yielding(decision.thread);
    run->patience = PATIENCE;
    return decision.thread;
}

static __attribute__((noinline, cold)) thread_id pick_among_many(void)
{
    return pick_among(THREAD_WORDS);
}

static __attribute__((noinline)) thread_id pick(void)
{
    return likely(ex.thread_count <= 64) ? pick_among(1) : pick_among_many();
}

static void back_to_starter(struct thread *me)
{
    set_state(me, THREAD_LIVE);
    thread_set_add(&ex.live, ex.current);
    hand_over(me, me->starter);
}

static inline void set_readiness(thread_id thread, enum readiness readiness)
{
    struct execution *now = &ex;
    struct thread *who = &now->threads[thread];
    if (who->readiness == readiness)
        return;
    thread_set_remove(&now->by_readiness[who->readiness], thread);
    thread_set_add(&now->by_readiness[readiness], thread);
    who->readiness = (uint8_t)readiness;
}

static inline enum readiness readiness_of(const struct thread *who, struct op op)
{
    switch (may_wait[op.kind]) {
    case WAITS:
        if (op.kind == OP_JOIN)
            return ex.threads[op.second].state == THREAD_ENDED ? READY : ASLEEP;
        return ASKED;
    case WAITS_IF_AWAITING:
        if (who->await.turn != NOT_AWAITING)
            return ASKED;
    }
    return counted[op.kind] || op.choices != 1 ? ASKED : READY;
}

static inline __attribute__((always_inline)) void pend(thread_id thread, struct op op)
{
    struct thread *who = &ex.threads[thread];
    struct object_state *object = op.object != NO_OBJECT ? object_state(op.object) : NULL;
    if (object != NULL && unlikely(object->order == 0))
        object->order = ++ex.object_count;
    who->object = object;
    set_readiness(thread, readiness_of(who, op));
}

void thread_pends(thread_id thread)
{
    if (ex.threads[thread].state != THREAD_ENDED)
        pend(thread, ex.pending[thread]);
}

void thread_rests(thread_id thread)
{
    thread_set_remove(&ex.live, thread);
    set_readiness(thread, ASLEEP);
}

static void wake_joining(thread_id ended)
{
    THREADS_EACH(thread, &ex.live)
        if (ex.pending[thread].kind == OP_JOIN && ex.pending[thread].second == ended)
            set_readiness(thread, READY);
}

/* Expiries that were chosen are carried out here, on behalf of the timers. */
static __attribute__((noinline)) thread_id expire(struct thread *me, thread_id next)
{
    do {
        set_current(next);
        timer_expire(me);
        ex.me = me;
        next = pick();
    } while (is_timer(next));
    if (next == thread_number(me))
        set_current(next);
    return next;
}

static inline __attribute__((always_inline)) thread_id pick_thread(struct thread *me)
{
    thread_id next = pick();
    return unlikely(is_timer(next)) ? expire(me, next) : next;
}

/* A handler ran, or the thread was cancelled. Its own operations come between. */
static __attribute__((noinline, cold)) void announce_after_alert(void)
{
    struct op_words words = ex.me->announced;
    if (alert_take() == ALERT_AGAIN)
        announce_words(words.head, words.second, words.site);
}

static __attribute__((noinline, cold)) void begin_to_live(struct thread *me)
{
    me->atomic_entered = me->atomic_depth > 0;
    back_to_starter(me);
}

/* Little is kept over a switch: it would have to be saved and loaded again. */
void announce_words(uint64_t head, uint64_t second, uint64_t site)
{
    struct execution *now = &ex;
    struct op_words words = {head, second, site};
    now->me->announced = words;
    __builtin_memcpy(&now->pending[now->current], &words, sizeof words);
    pend(now->current, (struct op){.kind = (uint8_t)head,
                                   .choices = (uint16_t)(head >> 16),
                                   .object = (uint32_t)(head >> 32),
                                   .second = (uint32_t)second});
    if (unlikely(now->me->cancel.requested))
        alert(now->current);
    if (unlikely(rt.options->detail))
        frames_capture(now->current);
    if (unlikely(now->me->state == THREAD_STARTING)) {
        begin_to_live(now->me);
    } else {
        thread_id next = pick_thread(now->me);
        if (next != now->current)
            hand_over(now->me, next);
    }
    if (unlikely(is_alert(now->pending[now->current].kind)))
        announce_after_alert();
}

void thread_begin(thread_id thread, thread_id parent)
{
    struct thread *new = &ex.threads[thread];
    memset(new, 0, offsetof(struct thread, await));
    new->await.count = new->await.wrote = 0;
    new->await.turn = NOT_AWAITING;
    new->parent = parent;
    new->starter = parent;
    new->fs = thread == 0 ? rt.main_fs : rt.stacks[thread].fs;
    new->stack_low = (uintptr_t)rt.stacks[thread].low;
    new->stack_size = (uintptr_t)(rt.stacks[thread].high - rt.stacks[thread].low);
    new->signals.blocked = signals_inherited;
    if (parent != NO_THREAD) {
        struct thread *creator = &ex.threads[parent];
        new->name = mix(creator->name, ++creator->children);
        memcpy(new->label, creator->label, sizeof new->label);
        new->processors = creator->processors;
        new->signals.blocked = creator->signals.blocked;
        thread_depends(thread, parent);
    }
    set_state(new, parent == NO_THREAD ? THREAD_LIVE : THREAD_STARTING);
    if (parent == NO_THREAD)
        thread_set_add(&ex.live, thread);
    ex.thread_count = (uint16_t)(thread + 1);
    race_start(&ex.race, thread, parent);
}

void thread_start(thread_id child)
{
    hand_over(ex.me, child);
}

_Noreturn void thread_end(void)
{
    struct thread *me = ex.me;
    bool starting = me->state == THREAD_STARTING;
    if (!starting && is_last(ex.current))
        end_last_thread();
    if (unlikely(me->robust != NULL))
        mutexes_abandon();
    set_state(me, THREAD_ENDED);
    thread_rests(ex.current);
    wake_joining(ex.current);
    hand_over_for_ever(starting ? me->starter : pick_thread(me));
}

void execution_open(void)
{
    ex.used = 0;
    ex.thread_count = 0;
    ex.last_gave_way = ex.exit_handlers = false;
    ex.yielding_count = 0;
    ex.object_count = 0;
    ex.turns = NULL;
    ex.process_count = 0;
    ex.processes = NULL;
    ex.folders = NULL;
    ex.lives = NULL;
    ex.fingerprint = 0;
    ex.time = ex.cpu_time = 0;
    ex.random_file = 0;
    ex.armed_count = 0;
    memset(&ex.signals, 0, sizeof ex.signals);
    memset(&ex.timers, 0, sizeof ex.timers);
    ex.class[0] = ex.class[1] = 0;
    ex.live = (thread_set){0};
    for (int i = 0; i < READINESSES; i++)
        ex.by_readiness[i] = (thread_set){0};
    if (unlikely(rt.options->detail))
        the_board->label_count = 0;
    memory_begin();
    memory_open();
    ex.threads[0].state = THREAD_UNUSED;
    thread_begin(0, NO_THREAD);
    set_current(0);
}
