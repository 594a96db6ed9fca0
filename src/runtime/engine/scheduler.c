#include "runtime/engine/scheduler.h"

#include <string.h>
#include <sys/syscall.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/engine/able.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/frames.h"
#include "runtime/engine/hand_over.h"
#include "runtime/engine/object.h"
#include "runtime/engine/symmetry.h"
#include "runtime/engine/upper.h"
#include "runtime/engine/values.h"

enum { PATIENCE = 1 << 20 };

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

/* As a rule it depends on nothing but what it touches. Nobody gives way, and there are no atomic
 * sections. */
static inline __attribute__((always_inline)) void note_usual_step(struct step *step)
{
    enum op_kind kind = step->op.kind;
    const struct thread *thread = &ex.threads[step->thread];
    if (unlikely(op_depends_on_all(kind)) || unlikely(op_is_timed(kind)) || kind == OP_COND_WAKE ||
        unlikely(thread->await.turn != NOT_AWAITING) ||
        unlikely(thread->signals.handlers != NULL)) {
        step_note_whole(step, false);
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
        step_note_whole(step, able.kept);
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
    thread_set_state(me, THREAD_LIVE);
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

RETURNS_AS_USUAL void thread_wake_joining(thread_id ended)
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
        attention_at_operation(site);
    if (me->state == THREAD_STARTING) {
        begin_to_live(me);
    } else {
        thread_id next = pick_thread(ex.me);
        if (next != ex.current)
            hand_over(ex.me, next);
    }
    if (unlikely(ex.attention & (ATTENTION_DEBUG | ATTENTION_STEPS)))
        attend_step();
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
        stack_leave_nothing();
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
        stack_leave_nothing();
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

thread_id thread_next(struct thread *me)
{
    return pick_thread(me);
}
