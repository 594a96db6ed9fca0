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
#include "runtime/memory/memory.h"
#include "runtime/model/model.h"
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

static bool others_ended(thread_id thread)
{
    thread_set others = ex.live;
    THREADS_EACH(other, &ex.live) /* of several that leave, one comes first */
        if (ex.pending[other].kind == OP_EXIT)
            thread_set_remove(&others, other);
    return thread_set_is_empty(&others);
}

/* One bit for each kind of operation that may have to wait. */
static const uint64_t waiting_kinds = 0
#define WAITING(kind, condition) | 1ul << OP_##kind
#include "runtime/model/waiting.def"
#undef WAITING
    ;
_Static_assert(OP_KINDS <= 64, "a bit for each kind");

static __attribute__((noinline)) bool need_not_wait(thread_id thread)
{
    const struct op *op = &ex.pending[thread];
    const struct thread *who = &ex.threads[thread];
    switch (op->kind) {
#define WAITING(kind, condition) \
    case OP_##kind: return condition;
#include "runtime/model/waiting.def"
#undef WAITING
    }
    UNREACHABLE();
}

static inline __attribute__((always_inline)) bool can_run(thread_id thread)
{
    uint8_t kind = ex.pending[thread].kind;
    if (!(waiting_kinds >> kind & 1))
        return true;
    if (kind != OP_MUTEX_LOCK)
        return need_not_wait(thread);
    const pthread_mutex_t *mutex = ex.threads[thread].mutex; /* most steps are about these */
    return mutex->__data.__lock == 0 || mutex_can_lock(mutex, thread);
}

/* Who gave way runs again when all others had a step or cannot have one. */
static void leave_out_yielding(thread_set *enabled)
{
    thread_set able = *enabled;
    THREADS_EACH(thread, &able)
        if (ex.threads[thread].yielding &&
            thread_set_meets(&ex.threads[thread].yields_to, &able))
            thread_set_remove(enabled, thread);
}

struct able { /* who can run, and how many alternatives that makes */
    thread_set enabled;
    uint32_t alternatives, count;
};

static inline __attribute__((always_inline)) void find_able(struct able *able)
{
    uint32_t alternatives = 0, count = 0;
    able->enabled = (thread_set){0};
    for (uint32_t word = 0; word * 64 < ex.thread_count; word++) {
        uint64_t enabled = 0;
        for (uint64_t left = ex.live.word[word]; left != 0; left &= left - 1) {
            thread_id thread = (thread_id)(word * 64 + (uint32_t)__builtin_ctzl(left));
            struct op *op = &ex.pending[thread];
            if (unlikely(op->kind == OP_COND_SIGNAL))
                op->choices = cond_choices(ex.threads[thread].cond);
            else if (unlikely(op->kind == OP_FUTEX_SIGNAL))
                op->choices = futex_choices(thread);
            if (!can_run(thread))
                continue;
            enabled |= left & -left;
            alternatives += op->choices;
            count++;
        }
        able->enabled.word[word] = enabled;
    }
    able->alternatives = alternatives;
    able->count = count;
    if (unlikely(ex.yielding_count > 0)) {
        leave_out_yielding(&able->enabled);
        able->alternatives = schedule_alternatives(&able->enabled, ex.pending);
        able->count = thread_set_count(&able->enabled);
    }
}

/* Inside of bohr_atomic_begin and _end: as long as the thread can go on, nobody else can. Before
 * its first operation there the section has not begun for the others. */
static void keep_atomic(struct able *able)
{
    bool entered = ex.me->atomic_entered;
    ex.me->atomic_entered = true;
    if (!entered || !thread_set_has(&able->enabled, ex.current))
        return;
    able->enabled = (thread_set){0};
    thread_set_add(&able->enabled, ex.current);
    able->alternatives = ex.pending[ex.current].choices;
    able->count = 1;
}

static void stop_yielding(thread_id stepping)
{
    struct thread *me = &ex.threads[stepping];
    if (me->yielding) {
        me->yielding = false;
        ex.yielding_count--;
    }
    THREADS_EACH(thread, &ex.live)
        thread_set_remove(&ex.threads[thread].yields_to, stepping);
}

static _Noreturn void stuck(bool livelock, const char *why)
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
                             : "threads wait for each other or for nobody");
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

static _Noreturn void diverge(const char *what)
{
    finding_nondeterminism(what);
    execution_end(OUTCOME_DIVERGED);
}

/* The decision that the schedule lists for this step, if it does. */
static bool listed(uint32_t step, struct decision *decision)
{
    const struct schedule *schedule = &rt.schedule;
    if (rt.position >= schedule->prefix_count || schedule->prefix[rt.position].step != step)
        return false;
    *decision = schedule->prefix[rt.position++];
    return true;
}

static void check_listed(const struct decision *decision, const struct able *able)
{
    if (!thread_set_has(&able->enabled, decision->thread))
        diverge("a thread that ran here before cannot run now");
    if (decision->choice >= ex.pending[decision->thread].choices)
        diverge("a data choice that was taken here before is not there now");
}

static __attribute__((noinline)) struct decision ask(uint32_t step, const struct able *able)
{
    struct choice_point at;
    at.step = step;
    at.last = ex.current;
    at.last_gave_way = ex.last_gave_way;
    at.enabled = able->enabled;
    at.pending = ex.pending;
    at.steps = rt.trace.steps;
    at.alternatives = able->alternatives;
    if (unlikely(rt.options->cache))
        class_so_far(at.class);
    return rt.choose(&rt.pilot, &at);
}

static __attribute__((noinline)) struct decision decide(uint32_t step, const struct able *able)
{
    struct decision decision;
    if (listed(step, &decision)) {
        check_listed(&decision, able);
        return decision;
    }
    bool by_default = rt.position < rt.schedule.prefix_count || rt.choose == choose_default;
    if (by_default)
        return (struct decision){
            .step = step, .thread = thread_set_next_around(&able->enabled, ex.current)};
    return ask(step, able);
}

static void record(const struct decision *decision, const struct able *able)
{
    struct step *step = &rt.trace.steps[rt.trace.count];
    const struct op *op = &ex.pending[decision->thread];
    step->op = *op;
    step->enabled = able->enabled;
    step->choice = decision->choice;
    step->thread = decision->thread;
    step->alternatives = (uint16_t)able->alternatives;
    step->flags = 0;
    step->fingerprint = (uint32_t)ex.fingerprint;
    uint64_t order = op->object == NO_OBJECT ? 0 : object_state(op->object)->order;
    ex.fingerprint = mix(ex.fingerprint, (uint64_t)decision->thread | (uint64_t)op->kind << 8 |
                                             (uint64_t)decision->choice << 16 | order << 32);
    if (unlikely(rt.options->detail))
        frames_keep(rt.trace.count, decision->thread);
    rt.trace.count++;
    the_board->trace[the_board->which].count = rt.trace.count; /* a sign of life */
}

static _Noreturn void too_many_steps(void)
{
    if (turns_for_ever())
        stuck(true, "threads give way to each other for ever, and nothing changes");
    execution_end(OUTCOME_CUT_STEPS);
}

static __attribute__((noinline)) void find_somebody(struct able *able)
{
    do {
        if (!doubt_an_await())
            nobody_can_run();
        find_able(able);
    } while (able->count == 0);
}

static thread_id pick(void)
{
    struct able able;
    find_able(&able);
    if (unlikely(ex.me->atomic_depth > 0))
        keep_atomic(&able);
    if (unlikely(able.count == 0))
        find_somebody(&able);
    uint32_t step = rt.trace.count;
    if (unlikely(step >= rt.trace.capacity))
        too_many_steps();
    struct decision decision = {.step = step, .thread = thread_set_next(&able.enabled, 0)};
    if (able.alternatives > 1) {
        if (unlikely(rt.checkpoint_wanted)) {
            rt.call = CALL_CHECKPOINT;
            fiber_switch(&ex.me->sp, rt.driver_sp, rt.driver_fs);
        }
        if (rt.schedule.check_step == step && step > 0 &&
            rt.schedule.check != schedule_check(ex.fingerprint))
            diverge("the steps before a decision are not those of the last time");
        decision = decide(step, &able);
        if (decision.thread == NO_THREAD)
            execution_end(OUTCOME_CUT_STRATEGY);
        if (able.count > the_board->flight.enabled_max)
            the_board->flight.enabled_max = able.count;
        the_board->flight.points += able.count > 1;
    } else {
        struct decision replayed;
        if (listed(step, &replayed) && replayed.thread != decision.thread)
            diverge("a thread that ran here before cannot run now");
    }
    record(&decision, &able);
    if (unlikely(ex.yielding_count > 0))
        stop_yielding(decision.thread);
    ex.last_gave_way = op_gives_way(ex.pending[decision.thread].kind);
    rt.patience = PATIENCE;
    return decision.thread;
}

static void back_to_starter(struct thread *me)
{
    set_state(me, THREAD_LIVE);
    thread_set_add(&ex.live, ex.current);
    hand_over(me, me->starter);
}

/* What the thread is about to do becomes part of its history: at once, or with what it touches. */
static void begin_step(const struct op *op)
{
    uint64_t fact = 0x9fb21c651e98df25 * (op->kind + 1ul) + 0xd6e8feb86659fd93 * step_choice();
    if (op->object == NO_OBJECT)
        step_note(fact);
    else
        ex.me->fact = fact + object_state(op->object)->name;
}

void announce_words(uint64_t head, uint64_t second, uint64_t site)
{
    struct thread *me = ex.me;
    thread_id current = ex.current;
    __builtin_memcpy(&ex.pending[current], &(struct op_words){head, second, site},
                     sizeof(struct op));
    if (unlikely(rt.options->detail))
        frames_capture(current);
    if (unlikely(me->state == THREAD_STARTING)) {
        me->atomic_entered = me->atomic_depth > 0;
        back_to_starter(me);
    } else {
        thread_id next = pick();
        if (next != current)
            hand_over(me, next);
    }
    begin_step(&ex.pending[ex.current]);
}

void thread_begin(thread_id thread, thread_id parent)
{
    struct thread *new = &ex.threads[thread];
    memset(new, 0, offsetof(struct thread, await));
    new->await.count = 0;
    new->await.turn = NOT_AWAITING;
    new->parent = parent;
    new->starter = parent;
    new->fs = thread == 0 ? rt.main_fs : rt.stacks[thread].fs;
    if (parent != NO_THREAD) {
        struct thread *creator = &ex.threads[parent];
        new->name = mix(creator->name, ++creator->children);
        memcpy(new->label, creator->label, sizeof new->label);
        new->processors = creator->processors;
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
    if (!starting && others_ended(ex.current) && thread_set_count(&ex.live) == 1)
        end_last_thread();
    set_state(me, THREAD_ENDED);
    thread_set_remove(&ex.live, ex.current);
    hand_over_for_ever(starting ? me->starter : pick());
}

void execution_open(void)
{
    ex.used = 0;
    ex.thread_count = 0;
    ex.last_gave_way = ex.exit_handlers = false;
    ex.yielding_count = 0;
    ex.object_count = 0;
    ex.fingerprint = 0;
    ex.time = ex.cpu_time = 0;
    ex.random_file = 0;
    ex.class[0] = ex.class[1] = 0;
    ex.live = (thread_set){0};
    if (unlikely(rt.options->detail))
        the_board->label_count = 0;
    memory_open();
    ex.threads[0].state = THREAD_UNUSED;
    thread_begin(0, NO_THREAD);
    set_current(0);
}
