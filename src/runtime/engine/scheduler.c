#include "runtime/engine/scheduler.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/engine/able.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/debugger.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/frames.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/object.h"
#include "runtime/engine/symmetry.h"
#include "runtime/engine/trusted_code.h"
#include "runtime/engine/upper.h"
#include "runtime/engine/values.h"

enum { PATIENCE = 1 << 20 };

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
    if (unlikely(rt.carriers.kernel_threads)) {
        from->sp = __builtin_frame_address(0);
        let_go(next);
        thread_wait_go(from);
        return;
    }
    fiber_enter(&from->sp, next->sp, next->fs);
}

static inline __attribute__((always_inline)) _Noreturn void hand_over_for_ever(thread_id to)
{
    set_current(to);
    struct thread *next = &ex.threads[to];
    if (rt.carriers.kernel_threads) {
        let_go(next);
        for (;;)
            os_call(SYS_exit, 0, 0, 0, 0, 0, 0);
    }
    fiber_go(next->sp, next->fs);
}

static bool is_last(thread_id thread)
{
    for (uint32_t word = 0; word * 64 < ex.thread_count; word++)
        for (uint64_t left = ex.live.word[word]; left != 0; left &= left - 1) {
            thread_id other = (thread_id)(word * 64 + (uint32_t)__builtin_ctzl(left));
            if (other != thread && !able_is_event(other))
                return false;
        }
    return true;
}

static __attribute__((noinline, cold)) _Noreturn void diverge(const struct decision *listed,
                                                              bool enabled)
{
    divergence_note(listed, enabled);
    execution_end(OUTCOME_DIVERGED);
}

/* Once, where the execution leaves what another one did. */
static void check_steps_before(struct able able)
{
    struct schedule *schedule = &rt.schedule;
    schedule->check_step = 0;
    if (schedule->check != schedule_check(ex.fingerprint))
        diverge(NULL, true);
    if (divergence_shows(able.enabled))
        execution_end(OUTCOME_DIVERGED);
}

static void check_listed(const struct decision *decision, struct able able)
{
    if (!thread_set_has(able.enabled, decision->thread)) {
        if (!stuck_doubts_again(decision->thread))
            diverge(decision, false);
        thread_set_add(able.enabled, decision->thread);
    }
    if (decision->choice >= ex.pending[decision->thread].choices)
        diverge(decision, true);
}

static __attribute__((noinline, cold)) _Noreturn void cut(struct decision answer)
{
    if (answer.choice == GOES_ROUND)
        thread_can_go_round(rt.trace.count - answer.step);
    execution_end(OUTCOME_CUT_STRATEGY);
}

static inline struct decision ask(uint32_t step, struct able able, uint32_t words)
{
    struct choice_point *at = &rt.at;
    at->step = step;
    at->last = ex.current;
    at->last_gave_way = step > 0 && op_gives_way(rt.trace.steps[step - 1].op.kind);
    for (uint32_t word = 0; word < words; word++) /* those beyond are zero */
        at->enabled.word[word] = able.enabled->word[word];
    at->alternatives = able.alternatives;
    if (unlikely(rt.options->cache))
        class_so_far(at->class);
    if (unlikely(states_are_compared()))
        state_now(at);
    return rt.choose(&rt.pilot, at);
}

static inline struct decision choose(uint32_t step, struct able able, uint32_t words)
{
    if (rt.by_default || rt.next_listed != NOTHING_LISTED)
        return (struct decision){.step = step,
                                 .thread = thread_set_next_around(able.enabled, ex.current)};
    return ask(step, able, words);
}

/* The decision that the schedule lists for this step; where it lists none, the step is only
 * checked. */
static __attribute__((noinline)) struct decision listed(uint32_t step, struct able able,
                                                        uint32_t words)
{
    if (step == rt.schedule.check_step)
        check_steps_before(able);
    if (schedule_listed(step) == NULL) {
        schedule_look_ahead();
        struct decision chosen = {.step = step, .thread = thread_set_next(able.enabled, 0)};
        if (able.alternatives > 1 || rt.asks)
            chosen = choose(step, able, words);
        if (chosen.thread == NO_THREAD)
            cut(chosen);
        return chosen;
    }
    struct decision decision = rt.schedule.prefix[rt.position++];
    schedule_look_ahead();
    check_listed(&decision, able);
    return decision;
}

static inline __attribute__((always_inline)) struct decision decide(uint32_t step, struct able able,
                                                                    uint32_t words)
{
    struct decision decision =
        unlikely(step == rt.next_listed) ? listed(step, able, words) : choose(step, able, words);
    if (unlikely(decision.thread == NO_THREAD))
        cut(decision);
    struct flight *flight = &the_board->flight;
    uint32_t count = words == 1 ? (uint32_t)__builtin_popcountl(able.enabled->word[0])
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
#define OP(name, ...) [OP_##name] = 0x9fb21c651e98df25 * (OP_##name + 1ul),
#include "core/op.def"
#undef OP
};

/* By words, as it was announced: a wider load would have to wait until these have been stored. */
static inline __attribute__((always_inline)) void op_copy(struct op *to, const struct op *from)
{
    const volatile struct op_words *in = (const volatile void *)from;
    volatile struct op_words *out = (volatile void *)to;
    out->head = in->head;
    out->second = in->second;
    out->site = in->site;
}

/* The set of enabled threads is in the step already. What the thread is about to do becomes part of
 * its history: at once, or with what it touches. */
static inline __attribute__((always_inline)) void
record(struct step *step, struct decision decision, uint32_t alternatives, bool careful)
{
    struct execution *now = &ex;
    struct runtime *run = &rt;
    const struct op *op = &now->pending[decision.thread];
    struct thread *who = &now->threads[decision.thread];
    uint64_t what = (uint64_t)decision.choice | (uint64_t)decision.thread << 16;
    uint64_t kind = op->kind;
    uint64_t all = what | (uint64_t)(uint16_t)alternatives << 32;
    uint64_t order = 0, fact = kind_facts[kind];
    op_copy(&step->op, op);
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
    now->fingerprint = mix_chain(now->fingerprint, what | order << 32 | kind << 56, MIX_FIRST);
    if (careful && unlikely(run->options->detail)) {
        frames_keep(decision.step, decision.thread);
        values_keep(decision.step);
    }
    if (careful && unlikely(now->progress.turns != NULL))
        cycle_step(decision.thread, op, decision.choice);
    run->trace.count = *run->sign_of_life = decision.step + 1;
    run->progress.patience = PATIENCE;
}

static struct able only(struct able able, thread_id led)
{
    if (led == NO_THREAD)
        return able;
    *able.enabled = (thread_set){0};
    thread_set_add(able.enabled, led);
    able.alternatives = 1;
    return able;
}

static __attribute__((noinline, cold)) struct able steps_are_due(struct able able)
{
    if (rt.trace.count >= rt.trace.capacity)
        stuck_in_steps();
    bool replayed = rt.trace.count >= the_board->replay_count;
    if (replayed && rt.options->replay_end == REPLAY_IS_CUT)
        stuck_in_steps();
    if (replayed && rt.options->replay_end == REPLAY_STOPS)
        execution_end(OUTCOME_CUT_STRATEGY);
    if (replayed && rt.options->replay_end == REPLAY_IN_LIVELOCK)
        thread_goes_round(cycle_length()); /* that nothing leads out was found out then */
    if (wanders())
        return only(able, wander_lead(able.enabled));
    if (!(ex.attention & ATTENTION_WATCH))
        watch_begin();
    else
        watch_end();
    return able;
}

static __attribute__((noinline, cold)) struct able find_somebody(thread_set *into)
{
    struct able able;
    do {
        if (!stuck_doubts())
            stuck_all();
        able = able_find(into, THREAD_WORDS);
        able_leave_out(&able);
    } while (thread_set_is_empty(into));
    return able;
}

static __attribute__((noinline)) thread_id pick(void);

/* Every later execution begins here, with another trace. */
static __attribute__((noinline, cold)) thread_id pick_after_checkpoint(void)
{
    rt.worker.call = CALL_CHECKPOINT;
    fiber_enter(&ex.me->sp, rt.worker.driver_sp, rt.worker.driver_fs);
    return pick();
}

/* They also change what other threads are about to do, and not all reductions know all orders of
 * these: 1 << enum unreduced. */
static const uint32_t unreduced_by[OP_STRIKES] = {
    [OP_STRIKES_PROCESSES] = 1 << UNREDUCED_PROCESSES,
    [OP_STRIKES_CANCELLATION] = 1 << UNREDUCED_CANCELLATION,
    [OP_STRIKES_SIGNALS] = 1 << UNREDUCED_SIGNALS,
    [OP_STRIKES_TIMERS] = 1 << UNREDUCED_TIMERS,
};

/* Whoever gave way was held back by what all others did. In a handler, what it interrupts may end
 * meanwhile. */
static __attribute__((noinline, cold)) void note_step(struct step *step, bool inside)
{
    uint32_t number = rt.trace.count - 1;
    step->touches_end = trace_touches_begin(rt.trace.steps, number);
    step->op.before = 0;
    step_note_time(&step->op, step->thread);
    const struct thread *thread = &ex.threads[step->thread];
    if (op_depends_on_all(step->op.kind) || thread->yielding || thread->atomic_depth > 0 ||
        thread->signals.handlers != NULL)
        step->flags |= STEP_ALL;
    if (thread->await.turn != NOT_AWAITING)
        await_touch(&thread->await);
    if (inside)
        step->flags |= STEP_INSIDE;
    bool trusted = thread->atomic_depth & TRUSTED &&
                   !rt.strategy->traits.disciplined; /* its blocks go on there */
    if (!rt.strategy->traits.reduces_strikes)
        the_board->flight.unreduced |=
            unreduced_by[op_traits(step->op.kind)->strikes] | (uint32_t)trusted << UNREDUCED_TRUST;
    if (step->op.kind == OP_SLEEP)
        step_moves_time();
}

/* As a rule it depends on nothing but what it touches. Nobody gives way, and there are no atomic
 * sections. */
static inline __attribute__((always_inline)) void note_usual_step(struct step *step)
{
    enum op_kind kind = step->op.kind;
    const struct thread *thread = &ex.threads[step->thread];
    if (unlikely(op_depends_on_all(kind)) || unlikely(op_is_timed(kind)) || kind == OP_COND_WAKE ||
        unlikely(thread->await.turn != NOT_AWAITING) ||
        unlikely(thread->signals.handlers != NULL)) {
        note_step(step, false);
        return;
    }
    step->touches_end = trace_touches_begin(rt.trace.steps, rt.trace.count - 1);
    step->op.before = 0;
}

static __attribute__((noinline)) thread_id pick_carefully(void);

/* Not slow: only what has to be done at each step. */
static inline __attribute__((always_inline)) thread_id pick_among(uint32_t words, bool slow)
{
    struct runtime *run = &rt;
    struct execution *now = &ex;
    uint32_t count = run->trace.count;
    struct step beyond;
    bool room = !slow || likely(count < run->trace.capacity);
    struct step *step = room ? &run->trace.steps[count] : &beyond;
    if (slow && unlikely(run->checkpoint_wanted) && checkpoint_is_at(count))
        return pick_after_checkpoint();
    struct able able = able_find(&step->enabled, words);
    if (!slow && unlikely(able.alternatives == 0))
        return pick_carefully();
    if (slow && unlikely(now->yielding_count > 0 || now->armed_count > 0))
        able_leave_out(&able);
    if (slow && unlikely(now->me->atomic_depth > 0))
        able = able_keep_atomic(able);
    if (slow && unlikely(able.alternatives == 0))
        able = find_somebody(&step->enabled);
    if (slow && unlikely(count >= now->due))
        able = steps_are_due(able);
    struct decision decision = {.step = count};
    if (slow && able.alternatives > 1 && unlikely(run->checkpoint_wanted) &&
        checkpoint_is_at_decision())
        return pick_after_checkpoint();
    if (able.alternatives > 1 || unlikely(run->asks && count != run->next_listed))
        decision = decide(count, able, words);
    else if (unlikely(count == run->next_listed))
        decision = listed(count, able, words);
    else
        decision.thread = words == 1 ? (thread_id)__builtin_ctzl(able.enabled->word[0])
                                     : thread_set_next(able.enabled, 0);
    record(step, decision, able.alternatives, slow);
    if (!slow && run->notes)
        note_usual_step(step);
    if (slow && unlikely(run->notes))
        note_step(step, able.kept);
    if (slow && symmetry_is_on())
        symmetry_step_slow(decision.thread);
    if (slow && unlikely(now->yielding_count > 0))
        able_stop_yielding(decision.thread);
    return decision.thread;
}

static __attribute__((noinline)) thread_id pick_carefully(void)
{
    return likely(ex.thread_count <= 64) ? pick_among(1, true) : pick_among(THREAD_WORDS, true);
}

/* As a rule none of what is slow has to be done: `due` comes before the steps are too many. */
static inline bool next_step_is_usual(void)
{
    return likely(steps_are_usual()) && likely(rt.trace.count < ex.due);
}

static __attribute__((noinline)) thread_id pick(void)
{
    return next_step_is_usual() ? pick_among(1, false) : pick_carefully();
}

static void back_to_starter(struct thread *me)
{
    set_state(me, THREAD_LIVE);
    thread_set_add(&ex.live, ex.current);
    hand_over(me, me->starter);
}

static inline void set_readiness(thread_id thread, struct thread *who, enum readiness readiness)
{
    struct execution *now = &ex;
    if (who->readiness == readiness)
        return;
    thread_set_remove(&now->by_readiness[who->readiness], thread);
    thread_set_add(&now->by_readiness[readiness], thread);
    who->readiness = (uint8_t)readiness;
}

static inline __attribute__((always_inline)) void pend(thread_id thread, struct thread *who,
                                                       struct op op)
{
    struct object_state *object = op.object != NO_OBJECT ? object_state(op.object) : NULL;
    if (object != NULL && unlikely(object->order == 0))
        object->order = ++ex.object_count;
    who->object = object;
    set_readiness(thread, who, able_readiness(who, op));
}

void thread_pends(thread_id thread)
{
    if (ex.threads[thread].state != THREAD_ENDED)
        pend(thread, &ex.threads[thread], ex.pending[thread]);
}

void thread_holds(thread_id thread)
{
    set_readiness(thread, &ex.threads[thread], ASLEEP);
}

RETURNS_AS_USUAL void thread_rests(thread_id thread)
{
    thread_set_remove(&ex.live, thread);
    set_readiness(thread, &ex.threads[thread], ASLEEP);
}

void thread_wake_joining(thread_id ended)
{
    for (uint32_t word = 0; word * 64 < ex.thread_count; word++) {
        uint64_t waiting = ex.live.word[word] & ~ex.by_readiness[READY].word[word];
        for (; waiting != 0; waiting &= waiting - 1) {
            thread_id thread = (thread_id)(word * 64 + (uint32_t)__builtin_ctzl(waiting));
            if (ex.pending[thread].kind == OP_JOIN && ex.pending[thread].second == ended &&
                !ex.threads[thread].vain)
                set_readiness(thread, &ex.threads[thread], READY);
        }
    }
}

/* Expiries that were chosen are carried out here, on behalf of the timers; so are ends of
 * children. */
static __attribute__((noinline)) thread_id expire(struct thread *me, thread_id next)
{
    do {
        set_current(next);
        if (able_is_timer(next))
            timer_expire(me);
        else
            child_end();
        ex.me = me;
        next = pick();
    } while (able_is_event(next));
    if (next == thread_number(me))
        set_current(next);
    return next;
}

static inline __attribute__((always_inline)) thread_id pick_thread(struct thread *me)
{
    thread_id next = pick();
    return unlikely(able_is_event(next)) ? expire(me, next) : next;
}

/* A handler ran, or the thread was cancelled. Its own operations come between. */
static __attribute__((noinline, cold)) void announce_after_alert(void)
{
    struct op_words words = ex.me->announced;
    if (alert_take() == ALERT_AGAIN)
        announce_words(words.head, words.second, words.site);
}

static __attribute__((noinline)) void begin_to_live(struct thread *me)
{
    me->atomic_entered = atomic_sections(me) > 0;
    back_to_starter(me);
}

static __attribute__((noinline, cold)) void attend(uintptr_t site)
{
    if (ex.attention & ATTENTION_TRUST)
        trust_announced(site);
    if (ex.attention & ATTENTION_DETAIL)
        frames_capture(ex.current);
    if (ex.attention & ATTENTION_WATCH)
        watch_operation();
    if (states_are_compared())
        state_announced();
    if (ex.attention & ATTENTION_DEBUG)
        debug_thread();
}

/* Bytes; the unwinder, which notes where steps are, takes more than 8 KiB. */
enum {
    LEFT_USUALLY = 640,
    LEFT_BY_CHOOSING = 2048,
    LEFT_ON_STACK = 8192,
    LEFT_IN_DETAIL = 32768,
    STACK_SPARED = 1024
};

/* What we leave on the stack, the program may have in its frames later, where it does not set all
 * of them. That is another thing with each carrier and each way to decide, and a state that is
 * watched for must not depend on it. */
static __attribute__((noinline, cold)) void leave_nothing(void)
{
    size_t size = ex.attention & ATTENTION_DETAIL ? LEFT_IN_DETAIL : LEFT_ON_STACK;
    size_t below = (uintptr_t)__builtin_frame_address(0) - ex.me->stack_low;
    if (below < size + STACK_SPARED) /* a small stack */
        size = below > STACK_SPARED ? below - STACK_SPARED : 0;
    char left[size + 1];
    memset(left, 0, size);
    __asm__ volatile("" : : "r"(left) : "memory");
}

static inline __attribute__((always_inline)) void pend_words(struct thread *me,
                                                             struct op_words words)
{
    thread_id current = ex.current;
    me->announced = words;
    __builtin_memcpy(&ex.pending[current], &words, sizeof words);
    pend(current, me,
         (struct op){.kind = (uint8_t)words.head,
                     .choices = (uint16_t)(words.head >> 16),
                     .object = (uint32_t)(words.head >> 32),
                     .second = (uint32_t)words.second});
}

static __attribute__((noinline)) void announce_carefully(struct thread *me, uintptr_t site)
{
    if (unlikely(me->cancel.requested))
        alert(ex.current);
    if (unlikely(ex.attention != 0))
        attend(site);
    if (me->state == THREAD_STARTING) {
        begin_to_live(me);
    } else {
        thread_id next = pick_thread(ex.me);
        if (next != ex.current)
            hand_over(ex.me, next);
    }
    if (unlikely(ex.attention & ATTENTION_DEBUG))
        debug_step();
}

/* Little is kept over a switch: it would have to be saved and loaded again. */
static inline __attribute__((always_inline)) void announce_here(uint64_t head, uint64_t second,
                                                                uint64_t site)
{
    struct thread *me = ex.me;
    uint16_t state; /* and whether it is to be cancelled */
    __builtin_memcpy(&state, &me->state, sizeof state);
    pend_words(me, (struct op_words){head, second, site});
    if (likely(state == THREAD_LIVE) && next_step_is_usual()) {
        thread_id next = pick_among(1, false);
        if (next != ex.current) {
            struct thread *from = ex.me, *to = &ex.threads[next];
            set_current(next);
            fiber_switch(&from->sp, to->sp, to->fs);
        }
    } else {
        announce_carefully(me, site);
    }
}

static __attribute__((noinline)) void announce_below(uint64_t head, uint64_t second, uint64_t site)
{
    announce_here(head, second, site);
}

static bool states_count(void)
{
    return unlikely(ex.attention & (ATTENTION_WATCH | ATTENTION_STATE));
}

/* Which turns of a waiting loop are alike must not depend on how it was decided, nor on where the
 * execution began: what is left below is wiped, and this has no frame to speak of. */
static __attribute__((noinline)) void announce_wiping(uint64_t head, uint64_t second, uint64_t site)
{
    announce_below(head, second, site);
    if (states_count())
        leave_nothing();
    else
        stack_wipe();
    if (unlikely(is_alert(ex.pending[ex.current].kind)))
        announce_after_alert();
}

static __attribute__((noinline)) void announce_directly(uint64_t head, uint64_t second,
                                                        uint64_t site)
{
    announce_here(head, second, site);
    if (states_count())
        leave_nothing();
    if (unlikely(is_alert(ex.pending[ex.current].kind)))
        announce_after_alert();
}

void announce_words(uint64_t head, uint64_t second, uint64_t site)
{
    if (rt.progress.wipes || states_count())
        announce_wiping(head, second, site);
    else
        announce_directly(head, second, site);
}

/* A store for each two words: fewer instructions than memset takes. It may go as far as `wrote`,
 * which is set. */
static void clear_thread(struct thread *new)
{
    typedef uint64_t two __attribute__((vector_size(16), aligned(8), may_alias));
    volatile two *words = (volatile two *)new;
#pragma GCC unroll 64
    for (size_t i = 0; i < (offsetof(struct thread, await) + 8) / sizeof *words; i++)
        words[i] = (two){0};
    new->await.count = 0;
    new->await.wrote = WROTE_ALL;
    new->await.turn = NOT_AWAITING;
}
_Static_assert(offsetof(struct thread, await) % sizeof(uint64_t) == 0, "cleared by words");

void thread_begin(thread_id thread, thread_id parent)
{
    struct thread *new = &ex.threads[thread];
    clear_thread(new);
    new->ignore_depth = rt.options->detail || discipline_wanted() ? WITNESSED : 0;
    new->parent = parent;
    new->starter = parent;
    new->fs = thread == 0 ? rt.program.main_fs : rt.stacks[thread].fs;
    new->stack_low = (uintptr_t)rt.stacks[thread].low;
    new->stack_size = (uintptr_t)(rt.stacks[thread].high - rt.stacks[thread].low);
    new->signals.blocked = rt.signals_inherited;
    if (parent != NO_THREAD) {
        struct thread *creator = &ex.threads[parent];
        new->name = mix(creator->name, ++creator->children);
        memcpy(new->process.label, creator->process.label, sizeof new->process.label);
        new->process.processors = creator->process.processors;
        new->process.niceness = creator->process.niceness;
        new->signals.blocked = creator->signals.blocked;
        thread_depends(thread, parent);
    }
    set_state(new, parent == NO_THREAD ? THREAD_LIVE : THREAD_STARTING);
    if (parent == NO_THREAD)
        thread_set_add(&ex.live, thread);
    ex.thread_count = (uint16_t)(thread + 1);
    if (unlikely(thread >= 64))
        ex.careful |= CAREFUL_BY_PROGRAM;
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
    if (unlikely(wanders())) /* it has led out */
        wander_end();
    if (!starting && is_last(ex.current))
        end_last_thread();
    if (symmetry_is_on())
        symmetry_thread_ends();
    if (unlikely(me->sync.robust != NULL))
        mutexes_abandon();
    if (unlikely(ex.memory.seen.use_on_stack) && ex.current != 0)
        misuse_of_locked(rt.stacks[ex.current].low,
                         (size_t)(rt.stacks[ex.current].top - rt.stacks[ex.current].low),
                         "is locked and lies on the stack of a thread that ends",
                         ex.pending[ex.current].site);
    set_state(me, THREAD_ENDED);
    thread_rests(ex.current);
    thread_wake_joining(ex.current);
    hand_over_for_ever(starting ? me->starter : pick_thread(me));
}

void thread_blame(thread_id thread)
{
    set_current(thread);
}

bool thread_is_last(void)
{
    return is_last(ex.current);
}

_Noreturn void thread_leave(void)
{
    struct thread *me = ex.me;
    thread_rests(ex.current);
    hand_over_for_ever(me->state == THREAD_STARTING ? me->starter : pick_thread(me));
}

void execution_open(void)
{
    ex.used = 0;
    ex.thread_count = 0;
    ex.sync.found_last = 0;
    ex.process.exit_handlers = ex.progress.doubts = false;
    ex.yielding_count = 0;
    ex.careful = 0;
    ex.reserved = 0;
    ex.progress.left_out = 0;
    ex.sync.spurious = 0;
    ex.object_count = 0;
    ex.progress.turns = NULL;
    ex.aliases = ex.shared = NULL;
    ex.snapshot.made = NULL;
    memset(&ex.process.attributes, 0, sizeof ex.process.attributes);
    ex.spare_names = ex.backing_count = 0;
    ex.attention = (rt.options->detail ? ATTENTION_DETAIL : 0) |
                   (rt.options->trust.names[0] != 0 ? ATTENTION_TRUST : 0) |
                   (rt.options->symmetry ? ATTENTION_TWINS : 0) |
                   (rt.options->debugged ? ATTENTION_DEBUG : 0);
    watch_open();
    state_open();
    ex.process.process_count = 0;
    ex.process.processes = NULL;
    ex.file.folders = NULL;
    ex.lives = NULL;
    ex.file.descriptors = NULL;
    ex.memory.locks_taken = NULL;
    ex.memory.witnesses = NULL;
    ex.memory.benign = NULL;
    ex.memory.seen.ignoring = ex.memory.seen.use_on_stack = false;
    ex.interpose.token = NULL;
    ex.memory.discipline = NULL;
    ex.heap.block.size = 0;
    ex.memory.copies = false;
    ex.fingerprint = 0;
    ex.clock.time = ex.clock.cpu_time = 0;
    ex.process.random_file = 0;
    ex.armed_count = 0;
    memset(&ex.signals, 0, sizeof ex.signals);
    memset(&ex.timers, 0, sizeof ex.timers);
    ex.class[0] = ex.class[1] = 0;
    ex.live = ex.stuck = (thread_set){0};
    for (int i = 0; i < READINESSES; i++)
        ex.by_readiness[i] = (thread_set){0};
    if (unlikely(rt.options->detail))
        the_board->label_count = 0;
    memory_begin();
    memory_open();
    symmetry_open();
    ex.threads[0].state = THREAD_UNUSED;
    thread_begin(0, NO_THREAD);
    set_current(0);
}
