#include "strategy/order.h"

#include <string.h>

#include "base/assert.h"

enum { REVERSALS_EACH = 8, GROUP = 4 }; /* clocks are made of whole groups */

_Static_assert(THREADS_MAX % GROUP == 0, "the widest clock is no wider");

void order_open(struct order *order, struct arena *arena, uint32_t steps_max, uint32_t touches_max)
{
    memset(order, 0, sizeof *order);
    order->steps_max = steps_max;
    order->touches_max = touches_max;
    order->clocks = arena_take(arena, (size_t)steps_max * THREADS_MAX * sizeof *order->clocks);
    order->first = arena_take(arena, steps_max * sizeof *order->first);
    order->index = arena_take(arena, steps_max * sizeof *order->index);
    order->current = arena_take(arena, THREADS_MAX * THREADS_MAX * sizeof *order->current);
    order->led_on = arena_take(arena, THREADS_MAX * sizeof *order->led_on);
    order->nothing = arena_take(arena, THREADS_MAX * sizeof *order->nothing);
    memset(order->nothing, 0, THREADS_MAX * sizeof *order->nothing);
    order->scratch = arena_take(arena, THREADS_MAX * sizeof *order->scratch);
    order->arrived = arena_take(arena, THREADS_MAX * sizeof *order->arrived);
    order->last = arena_take(arena, THREADS_MAX * sizeof *order->last);
    order->led = arena_take(arena, THREADS_MAX * sizeof *order->led);
    order->leads = arena_take(arena, THREADS_MAX * sizeof *order->leads);
    order->struck = arena_take(arena, THREADS_MAX * sizeof *order->struck);
    order->undo = arena_take(arena, steps_max * sizeof *order->undo);
    size_t preds_max = steps_max + (size_t)touches_max;
    order->preds = arena_take(arena, preds_max * sizeof *order->preds);
    order->pred_touches = arena_take(arena, preds_max * sizeof *order->pred_touches);
    order->objects = arena_take(arena, ORDER_OBJECTS_MAX * sizeof *order->objects);
    order->touches = arena_take(arena, touches_max * sizeof *order->touches);
    order->reversals_max = (steps_max + THREADS_MAX) * REVERSALS_EACH;
    order->reversals = arena_take(arena, order->reversals_max * sizeof *order->reversals);
    order->grown = arena_take(arena, steps_max * sizeof *order->grown);
}

/* What comes before the next step of a thread, but for its own steps. */
static const uint32_t *clock_of_thread(const struct order *order, thread_id thread)
{
    if (order->led_on[thread])
        return order->current + (size_t)thread * order->threads;
    return order->last[thread] != 0 ? order_clock(order, order->last[thread] - 1) : order->nothing;
}

static uint32_t steps_of(const struct order *order, thread_id thread)
{
    return order->last[thread] != 0 ? order->index[order->last[thread] - 1] : 0;
}

static void copy(struct order *order, uint32_t *clock, const uint32_t *other)
{
    for (uint32_t i = 0; i < order->threads; i += GROUP)
        __builtin_memcpy(&clock[i], &other[i], GROUP * sizeof *clock);
}

static void join(struct order *order, uint32_t *clock, const uint32_t *other)
{
    for (uint32_t i = 0; i < order->threads; i += GROUP)
#pragma GCC unroll 4
        for (uint32_t k = i; k < i + GROUP; k++)
            clock[k] = other[k] > clock[k] ? other[k] : clock[k];
}

static void join_count(uint32_t *clock, thread_id thread, uint32_t count)
{
    if (clock[thread] < count)
        clock[thread] = count;
}

static void join_step(struct order *order, uint32_t *clock, uint32_t step)
{
    join(order, clock, order_clock(order, step));
    join_count(clock, order->trace->steps[step].thread, order->index[step]);
}

static void lead_on(struct order *order, thread_id thread, uint32_t step)
{
    uint32_t *clock = order->current + (size_t)thread * order->threads;
    bool first = order->last[thread] == 0 && !order->led_on[thread];
    if (!order->led_on[thread])
        copy(order, clock, first ? order_clock(order, step) : clock_of_thread(order, thread));
    order->led_on[thread] = true;
    if (first)
        join_count(clock, order->trace->steps[step].thread, order->index[step]);
    else
        join_step(order, clock, step);
}

static struct order_object *object_at(struct order *order, uint32_t number)
{
    CHECK(number < ORDER_OBJECTS_MAX);
    struct order_object *object = &order->objects[number];
    if (object->generation != order->generation)
        *object = (struct order_object){.generation = order->generation};
    return object;
}

void order_clear(struct order *order)
{
    order->steps = order->touch_count = order->grown_count = 0;
    order->generation++;
    order->last_all = order->all_before = 0;
    memset(order->led_on, 0, order->threads * sizeof *order->led_on);
    memset(order->arrived, 0, order->threads * sizeof *order->arrived);
    memset(order->last, 0, order->threads * sizeof *order->last);
    memset(order->led, 0, order->threads * sizeof *order->led);
    memset(order->leads, 0, order->threads * sizeof *order->leads);
    memset(order->struck, 0, order->threads * sizeof *order->struck);
}

static bool is_known(const struct order *order, thread_id to, const uint32_t *clock, uint32_t step)
{
    thread_id thread = order->trace->steps[step].thread;
    return thread == to || clock[thread] >= order->index[step];
}

/* What is in hand: a step, or an operation that was still pending. */
struct subject {
    const struct op *op;
    const uint32_t *known; /* clock: what is before it whatever happens */
    const struct footprint *footprint; /* as it was, or would be now */
    uint32_t before; /* how its object was */
    thread_id thread;
    uint16_t choice;
    bool predicts; /* the footprint depends on how its object is */
    bool times_out; /* a wake that nobody has signalled */
};

/* Nothing comes in between inside of an atomic section. */
static uint32_t section_begin(const struct order *order, uint32_t step)
{
    while (step > 0 && order->trace->steps[step].flags & STEP_INSIDE)
        step--;
    return step;
}

/* A timed wait that was woken, and before this step would not have been. */
static bool is_woken_after(const struct order *order, const struct subject *subject, uint32_t step)
{
    uint32_t woken = order->led[subject->thread];
    return woken != 0 && (woken == step + 1 || order_is_before(order, step, woken - 1));
}

/* Whether somebody has the mutex for sure, but for this step and what comes after it. */
static bool is_held_without(const struct order *order, uint32_t last, uint32_t dropped)
{
    for (uint32_t at = last; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        if (step == dropped || order_is_before(order, dropped, step))
            continue;
        switch (order->trace->steps[step].op.kind) {
        case OP_MUTEX_LOCK:
        case OP_MUTEX_TRYLOCK:
        case OP_MUTEX_TIMEDLOCK:
        case OP_COND_WAKE: return true;
        default: return false;
        }
    }
    return false;
}

/* What a timed wait would do if nobody had woken it. */
static struct footprint unwoken(struct order *order, const struct subject *subject, uint32_t step)
{
    struct footprint footprint = *subject->footprint;
    footprint.all = true;
    if (!op_may_time_out(subject->op) || subject->op->size == OP_WIDE)
        return footprint;
    uint32_t last = object_at(order, subject->op->object)->last;
    return footprint_of_timeout(subject->op, is_held_without(order, last, step));
}

/* What comes after an operation may do what it did another time. */
static struct footprint widen(const struct order *order, const struct op *op,
                              struct footprint footprint)
{
    if (order->wide.count > 0)
        footprint.all |= sites_have(&order->wide, op->site);
    return footprint;
}

static void add(struct order *order, const struct reversal *reversal)
{
    if (order->reversal_count == order->reversals_max)
        order->overflow = true;
    else
        order->reversals[order->reversal_count++] = *reversal;
}

static void add_grown(struct order *order, const struct reversal *reversal)
{
    if (order->grown_count == order->steps_max)
        order->overflow = true;
    else
        order->grown[order->grown_count++] = (struct grown){*reversal, order->subject};
}

/* Whether a reversal of it can let it touch more. */
static bool may_grow(const struct order *order, const struct subject *subject)
{
    const struct op *op = subject->op;
    return op_may_time_out(op) || order->led[subject->thread] != 0 || (op_is_timed(op->kind) && op->second != 0) ||
           (order->wide.count > 0 && sites_have(&order->wide, op->site));
}

static void emit(struct order *order, const struct subject *subject, uint32_t step,
                 struct footprint footprint, uint16_t choice, uint32_t drop_first,
                 uint32_t drop_last)
{
    step = section_begin(order, step);
    bool woken = is_woken_after(order, subject, step);
    if (woken)
        footprint = unwoken(order, subject, step);
    struct reversal reversal = {
        .step = step,
        .index = order->index[step],
        .thread = order->trace->steps[step].thread,
        .drop_first = drop_first,
        .drop_last = drop_last,
        .event = {.thread = subject->thread, .choice = choice, .footprint = footprint},
    };
    if (order->sites.count > 0)
        reversal.event.footprint.unsure = sites_have(&order->sites, subject->op->site);
    if (order->reports)
        add(order, &reversal);
    if (order->grows && (woken || (footprint.all && !subject->footprint->all)))
        add_grown(order, &reversal);
}

/* It could not go on before this step: then where it last could. Who kept it from going on since then need not be
 * looked for; with nothing but what comes before, it is possible there. */
static void emit_earlier(struct order *order, thread_id thread, struct footprint footprint, uint32_t step)
{
    const struct step *steps = order->trace->steps;
    uint32_t least = order->arrived[thread];
    if (order->struck[thread] > least)
        least = order->struck[thread];
    while (step >= least && !thread_set_has(&steps[section_begin(order, step)].enabled, thread))
        if (step-- == 0)
            return;
    if (step < least || !order->reports)
        return;
    step = section_begin(order, step);
    struct reversal reversal = {
        .step = step,
        .index = order->index[step],
        .thread = steps[step].thread,
        .event = {.thread = thread, .footprint = footprint},
        .alone = true,
    };
    add(order, &reversal);
}

/* Readers inside a read-write lock without those steps that come after `dropped`, or all from the
 * touch drop_first on if that is not 0; RWLOCK_WRITTEN: a writer. */
static uint32_t readers_without(struct order *order, uint32_t last, uint32_t dropped)
{
    uint32_t readers = 0;
    for (uint32_t at = last; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        const struct op *op = &order->trace->steps[step].op;
        bool writes = order->trace->touches[at - 1].access == TOUCH_WRITES;
        bool stays = step < dropped || !order_is_before(order, dropped, step);
        if (writes && stays) {
            bool fails = order->trace->steps[step].flags & STEP_FAILED || op_fails(op, op->before);
            if (fails)
                return readers + op->before;
            return op->kind == OP_RWLOCK_UNWRITE ? readers : RWLOCK_WRITTEN;
        }
        if (!stays || order->trace->steps[step].flags & STEP_FAILED)
            continue;
        readers += op->kind == OP_RWLOCK_UNREAD ? UINT32_MAX : 1;
    }
    return readers;
}

static bool is_rwlock_write(uint8_t kind)
{
    return kind == OP_RWLOCK_WRITE || kind == OP_RWLOCK_TRYWRITE || kind == OP_RWLOCK_TIMEDWRITE;
}

static bool may_block(const struct subject *subject)
{
    switch (subject->op->kind) {
    case OP_MUTEX_TRYLOCK:
    case OP_MUTEX_TIMEDLOCK:
    case OP_SPIN_TRYLOCK:
    case OP_STREAM_TRYLOCK:
    case OP_RWLOCK_TRYREAD:
    case OP_RWLOCK_TIMEDREAD:
    case OP_RWLOCK_TRYWRITE:
    case OP_RWLOCK_TIMEDWRITE:
    case OP_SEM_TRYWAIT:
    case OP_SEM_TIMEDWAIT: return false;
    default: return op_is_predictable(subject->op->kind) && !subject->times_out;
    }
}

/* How the subject's object was before a step that touched it, with all that does not come after it
 * carried out. */
static uint32_t state_before(struct order *order, const struct subject *subject, uint32_t touch,
                             uint32_t last)
{
    uint32_t step = order->touches[touch - 1].step;
    if (is_rwlock_write(subject->op->kind))
        return readers_without(order, last, step);
    if (order->trace->touches[touch - 1].access == TOUCH_READS)
        return subject->before;
    return order->trace->steps[step].op.before;
}

static bool is_possible(struct order *order, const struct subject *subject, uint32_t step,
                        uint32_t state)
{
    if (order->struck[subject->thread] > step)
        return false; /* it was to do something else */
    uint32_t begin = section_begin(order, step);
    bool shows = order->arrived[subject->thread] <= begin;
    if (may_block(subject) && !is_woken_after(order, subject, step) && (begin == step || !shows))
        return op_is_possible(subject->op->kind, state);
    return !shows || thread_set_has(&order->trace->steps[begin].enabled, subject->thread);
}

/* The object is touched in that section before: there nothing comes in between, and how it is at its beginning shows then. */
static bool is_inside(const struct order *order, uint32_t touch)
{
    uint32_t step = order->touches[touch - 1].step, previous = order->touches[touch - 1].previous;
    uint32_t begin = section_begin(order, step);
    return begin != step && previous != 0 && order->touches[previous - 1].step >= begin;
}

/* With its object as it was it does what it did. An access to memory that overlaps others touches them in the
 * same way as its object. */
static struct footprint predict_op(const struct subject *subject, uint32_t state)
{
    if (state == subject->before)
        return *subject->footprint;
    if (subject->times_out)
        return footprint_of_timeout(subject->op, state);
    struct footprint footprint = footprint_predicted(subject->op, state);
    bool memory =
        subject->op->kind == OP_ATOMIC_COMPARE || subject->op->kind == OP_ATOMIC_UPDATE;
    if (!memory || subject->footprint->count <= 1 || footprint.count != 1)
        return footprint;
    enum touch_access access = footprint.touches[0].access;
    bool all = footprint.all;
    footprint = *subject->footprint;
    footprint.all |= all;
    for (uint32_t i = 0; i < footprint.count; i++)
        if (access == TOUCH_WRITES || footprint.touches[i].object == subject->op->object)
            footprint.touches[i].access = access & 3;
    return footprint;
}

static struct footprint predict(const struct order *order, const struct subject *subject,
                                uint32_t state)
{
    return widen(order, subject->op, predict_op(subject, state));
}

static void reverse(struct order *order, const struct subject *subject, uint32_t touch,
                    uint32_t state, uint32_t drop_first, uint32_t drop_last)
{
    struct footprint footprint =
        subject->predicts ? predict(order, subject, state) : *subject->footprint;
    emit(order, subject, order->touches[touch - 1].step, footprint,
         subject->op->choices > 1 ? 0 : subject->choice, drop_first, drop_last);
}

/* All from this touch of a read-write lock on give way to a writer that several readers keep out. */
static void reverse_all(struct order *order, const struct subject *subject, uint32_t last)
{
    for (uint32_t at = last; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        if (is_known(order, subject->thread, subject->known, step))
            return;
        if (order->trace->steps[step].op.before == 0) {
            reverse(order, subject, at, 0, at, last);
            return;
        }
    }
}

/* It had to wait, and what it waited for comes after what woke it: it could have timed out before that. */
static void reverse_wake(struct order *order, const struct subject *subject, uint32_t step)
{
    uint32_t woken = order->led[subject->thread];
    if (woken != 0 && may_block(subject) && order_is_before(order, woken - 1, step))
        emit(order, subject, woken - 1, *subject->footprint, subject->choice, 0, 0);
}

/* The subject conflicts with this touch, and nothing else puts them in order. */
static void reverse_touch(struct order *order, const struct subject *subject, uint32_t touch,
                          uint32_t last)
{
    bool chained = subject->op->object == order->trace->touches[touch - 1].object;
    thread_id thread = order->trace->steps[order->touches[touch - 1].step].thread;
    bool readers = is_rwlock_write(subject->op->kind) &&
                   order->trace->touches[touch - 1].access == TOUCH_READS;
    bool unsure = order->sites.count > 0 && sites_have(&order->sites, subject->op->site);
    for (uint32_t at = touch; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        if (is_known(order, subject->thread, subject->known, step))
            return;
        bool reads = order->trace->touches[at - 1].access == TOUCH_READS;
        if (at != touch && reads &&
            (!readers || order->trace->steps[step].thread != thread))
            continue;
        if (at != touch && is_woken_after(order, subject, step))
            return;
        uint32_t state = chained ? state_before(order, subject, at, last) : subject->before;
        if (!is_inside(order, at) && is_possible(order, subject, step, state)) {
            reverse(order, subject, at, state, 0, 0);
            if (!unsure)
                return;
        }
        if (!chained && may_block(subject))
            return;
        if (at == touch)
            reverse_wake(order, subject, step);
        if (readers && order->touches[at - 1].previous == 0)
            break;
    }
    if (readers)
        reverse_all(order, subject, last);
}

static void add_pred(struct order *order, uint32_t step, uint32_t touch)
{
    uint32_t at = order->pred_count++;
    while (at > 0 && order->preds[at - 1] < step) {
        order->preds[at] = order->preds[at - 1];
        order->pred_touches[at] = order->pred_touches[at - 1];
        at--;
    }
    order->preds[at] = step;
    order->pred_touches[at] = touch;
}

/* All but those that are known to come before. Of several for one step that with its object comes first: that
 * step may have kept it from going on. */
static void find_preds(struct order *order, const struct footprint *footprint, thread_id thread,
                       const uint32_t *known)
{
    order->pred_count = 0;
    for (uint32_t i = 0; i < footprint->count; i++) {
        const struct order_object *object = object_at(order, footprint->touches[i].object);
        bool writes = footprint->touches[i].access == TOUCH_WRITES;
        for (uint32_t at = writes ? object->last : object->write; at != 0;
             at = order->touches[at - 1].previous) {
            uint32_t step = order->touches[at - 1].step;
            if (!is_known(order, thread, known, step))
                add_pred(order, step, at);
            if (order->trace->touches[at - 1].access == TOUCH_WRITES)
                break;
        }
    }
    if (order->last_all != 0 && !is_known(order, thread, known, order->last_all - 1))
        add_pred(order, order->last_all - 1, 0);
    if (order->led[thread] != 0 && !is_known(order, thread, known, order->led[thread] - 1))
        add_pred(order, order->led[thread] - 1, 0);
    for (uint32_t i = 0; footprint->all && i < order->threads; i++)
        if (order->last[i] != 0 && !is_known(order, thread, known, order->last[i] - 1))
            add_pred(order, order->last[i] - 1, 0);
}

/* The same with a step that depends on every other, or one that has woken it. Returns whether what kept it from
 * going on there is to be looked for among the steps before, too. */
static bool reverse_all_of(struct order *order, const struct subject *subject, uint32_t step, bool first)
{
    struct footprint footprint = *subject->footprint;
    if (is_possible(order, subject, step, subject->before)) {
        if (first) /* else it was found by what it touches */
            emit(order, subject, step, footprint, subject->op->choices > 1 ? 0 : subject->choice, 0, 0);
        return false;
    }
    bool all = footprint.all || order->trace->steps[step].flags & STEP_ALL;
    if (!all || order->struck[subject->thread] > step)
        return false;
    if (may_block(subject))
        return true;
    footprint.all |= subject->predicts;
    emit_earlier(order, subject->thread, footprint, step);
    return false;
}

/* Goes through the preds from the latest on; `clock` begins with what is known, and in the end has
 * all. */
static void find_races(struct order *order, const struct subject *subject, uint32_t *clock)
{
    order->grows = order->subject != UINT32_MAX && may_grow(order, subject);
    bool looks = order->reports || order->grows, blocked = false;
    for (uint32_t i = 0; i < order->pred_count; i++) {
        uint32_t step = order->preds[i], touch = order->pred_touches[i];
        if (is_known(order, subject->thread, blocked && touch != 0 ? subject->known : clock, step))
            continue;
        if (looks && touch != 0)
            reverse_touch(order, subject, touch,
                          object_at(order, order->trace->touches[touch - 1].object)->last);
        if (looks && (touch == 0 || !may_block(subject)))
            blocked |= reverse_all_of(order, subject, step, touch == 0);
        join_step(order, clock, step);
    }
    order->grows = false;
}

static bool is_variable(uint8_t kind)
{
    return op_is_predictable(kind) || kind == OP_ATOMIC_COMPARE || kind == OP_ATOMIC_UPDATE ||
           kind == OP_FUTEX_WAIT;
}

/* Whom a signal or a cancellation strikes could have gone on before it with what it was to do then, and so could a
 * timed wait that is woken; others could not. */
static void lead(struct order *order, uint32_t step, thread_id thread)
{
    CHECK(thread < order->threads);
    if (step_strikes(&order->trace->steps[step])) {
        order->struck[thread] = step + 1;
        return;
    }
    if (thread_set_has(&order->trace->steps[step].enabled, thread)) {
        order->led[thread] = step + 1;
        return;
    }
    lead_on(order, thread, step);
    order->arrived[thread] = step + 1;
}

/* As it was after the thread's last step, and what has led to it since. */
static void restore_thread(struct order *order, thread_id thread)
{
    uint32_t last = order->last[thread];
    order->led_on[thread] = false;
    order->arrived[thread] = last;
    order->led[thread] = order->struck[thread] = 0;
    for (uint32_t at = order->leads[thread]; at != 0; at = order->touches[at - 1].previous) {
        uint32_t step = order->touches[at - 1].step;
        if (step + 1 < last)
            return;
        if (step_strikes(&order->trace->steps[step])) {
            if (order->struck[thread] < step + 1)
                order->struck[thread] = step + 1;
            continue;
        }
        if (thread_set_has(&order->trace->steps[step].enabled, thread)) {
            if (order->led[thread] == 0)
                order->led[thread] = step + 1;
            continue;
        }
        lead_on(order, thread, step);
        if (order->arrived[thread] < step + 1)
            order->arrived[thread] = step + 1;
    }
}

static void undo_touch(struct order *order, const struct order_touch *at, thread_set *changed)
{
    uint32_t number = at->touch.object;
    switch (at->touch.access) {
    case TOUCH_LEADS:
        order->leads[number] = at->previous;
        thread_set_add(changed, (thread_id)number);
        return;
    case TOUCH_READS:
    case TOUCH_WRITES: {
        struct order_object *object = object_at(order, number);
        object->last = at->previous;
        object->write = at->write;
        return;
    }
    case TOUCH_FOLLOWS: return;
    }
}

static void undo_steps(struct order *order, uint32_t same)
{
    thread_set changed = {0};
    uint32_t touches = trace_touches_begin(order->trace->steps, same);
    CHECK(touches <= order->touch_count);
    for (uint32_t i = order->touch_count; i-- > touches;)
        undo_touch(order, &order->touches[i], &changed);
    for (uint32_t step = order->steps; step-- > same;) {
        const struct order_undo *undo = &order->undo[step];
        order->last[undo->thread] = undo->last;
        order->last_all = undo->last_all;
        thread_set_add(&changed, undo->thread);
    }
    order->steps = same;
    order->touch_count = touches;
    while (order->grown_count > 0 && order->grown[order->grown_count - 1].subject >= same)
        order->grown_count--;
    THREADS_EACH(thread, &changed)
        restore_thread(order, thread);
}

static void note_lead(struct order *order, uint32_t at, uint32_t step, thread_id thread)
{
    lead(order, step, thread);
    order->touches[at] = (struct order_touch){
        .touch = {thread, TOUCH_LEADS}, .step = step, .previous = order->leads[thread]};
    order->leads[thread] = at + 1;
}

static void note_touches(struct order *order, uint32_t step)
{
    const struct trace *trace = order->trace;
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end;
         i++) {
        struct touch touch = trace->touches[i];
        if (touch.access == TOUCH_LEADS) {
            note_lead(order, i, step, (thread_id)touch.object);
            continue;
        }
        if (touch.access != TOUCH_READS && touch.access != TOUCH_WRITES) {
            order->touches[i] = (struct order_touch){.touch = {0, TOUCH_FOLLOWS}};
            continue;
        }
        struct order_object *object = object_at(order, touch.object);
        order->touches[i] = (struct order_touch){
            .touch = touch, .step = step, .previous = object->last, .write = object->write};
        object->last = i + 1;
        if (touch.access == TOUCH_WRITES)
            object->write = i + 1;
    }
    order->touch_count = trace->steps[step].touches_end;
}

static void reverse_choices(struct order *order, const struct subject *subject, uint32_t step)
{
    for (uint16_t choice = 0; choice < subject->op->choices; choice++)
        if (choice != subject->choice)
            emit(order, subject, step,
                 widen(order, subject->op, footprint_predicted(subject->op, subject->before)), choice,
                 0, 0);
}

/* Other outcomes of steps whose races were found before: what does not come after them may now say more. */
static void reverse_choices_again(struct order *order, uint32_t end)
{
    for (uint32_t step = 0; step < end; step++) {
        const struct step *at = &order->trace->steps[step];
        struct subject subject = {
            .op = &at->op, .thread = at->thread, .choice = at->choice, .before = at->op.before};
        if (at->op.choices > 1)
            reverse_choices(order, &subject, step);
    }
}

static bool follows(const struct order *order, uint32_t step)
{
    const struct trace *trace = order->trace;
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end;
         i++)
        if (trace->touches[i].access == TOUCH_FOLLOWS)
            return true;
    return false;
}

static void follow(struct order *order, uint32_t step, uint32_t *clock)
{
    const struct trace *trace = order->trace;
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end;
         i++) {
        if (trace->touches[i].access != TOUCH_FOLLOWS)
            continue;
        thread_id ended = (thread_id)trace->touches[i].object;
        join(order, clock, clock_of_thread(order, ended));
        join_count(clock, ended, steps_of(order, ended));
    }
}

/* A clock of its own that begins with what its thread knew. */
static uint32_t *make_clock(struct order *order, uint32_t step, const uint32_t *known)
{
    uint32_t *clock = order->clocks + (size_t)step * order->threads;
    copy(order, clock, known);
    order->first[step] = step;
    return clock;
}

static void take_idle(struct order *order, uint32_t step)
{
    const struct trace *trace = order->trace;
    thread_id thread = trace->steps[step].thread;
    const uint32_t *known = clock_of_thread(order, thread);
    order->undo[step] = (struct order_undo){order->last[thread], order->last_all, thread};
    make_clock(order, step, known);
    order->index[step] = steps_of(order, thread);
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end; i++)
        order->touches[i] = (struct order_touch){.touch = {0, TOUCH_FOLLOWS}};
    order->touch_count = trace->steps[step].touches_end;
}

static struct subject subject_of(const struct order *order, uint32_t step, const uint32_t *known)
{
    const struct step *at = &order->trace->steps[step];
    return (struct subject){
        .op = &at->op,
        .thread = at->thread,
        .choice = at->choice,
        .before = at->op.before,
        .known = known,
        .footprint = &order->taken[step].footprint,
        .predicts = is_variable(at->op.kind) && !(at->flags & STEP_ENDS),
        .times_out = at->flags & STEP_TIMED_OUT,
    };
}

/* It knows more than the steps of its thread before it. Returns what it would know whatever happens. */
static const uint32_t *take_clock(struct order *order, uint32_t step, const uint32_t *known,
                                  bool joins)
{
    uint32_t *clock = make_clock(order, step, known);
    if (joins)
        follow(order, step, clock);
    if (order->pred_count == 0)
        return clock;
    if (joins) {
        copy(order, order->scratch, clock);
        known = order->scratch;
    }
    struct subject subject = subject_of(order, step, known);
    find_races(order, &subject, clock);
    return known;
}

/* How its object is if it has to wait. */
static uint32_t state_of_blocked(uint8_t kind)
{
    switch (kind) {
    case OP_RWLOCK_READ: return RWLOCK_WRITTEN;
    case OP_SEM_WAIT: return 0;
    default: return 1;
    }
}

/* What a thread that is struck was to do before. */
static struct op struck_op(const struct order *order, uint32_t step, thread_id thread)
{
    const struct trace *trace = order->trace;
    const struct op *alert = &trace->pending[thread];
    for (uint32_t i = step + 1; i < trace->count; i++)
        if (trace->steps[i].thread == thread) {
            alert = &trace->steps[i].op;
            break;
        }
    if (alert->kind != OP_SIGNAL_HANDLE && alert->kind != OP_CANCELLED)
        return (struct op){.choices = 1};
    return (struct op){.kind = alert->size, .object = alert->second, .choices = 1, .site = alert->site};
}

/* It could have done that before the step. If it had to wait for it, also before what made it wait, as if it were
 * pending in the end. */
static void take_struck(struct order *order, uint32_t step, thread_id thread)
{
    emit_earlier(order, thread, (struct footprint){.all = true}, step);
    struct op op = struck_op(order, step, thread);
    if (thread_set_has(&order->trace->steps[step].enabled, thread) || op.object == NO_OBJECT)
        return;
    op.before = state_of_blocked(op.kind);
    struct footprint now = widen(order, &op, footprint_predicted(&op, op.before));
    struct subject subject = {
        .op = &op,
        .thread = thread,
        .before = op.before,
        .known = clock_of_thread(order, thread),
        .footprint = &now,
        .predicts = is_variable(op.kind),
    };
    find_preds(order, &now, thread, subject.known);
    copy(order, order->scratch, subject.known);
    find_races(order, &subject, order->scratch);
}

static void take_strikes(struct order *order, uint32_t step)
{
    const struct trace *trace = order->trace;
    if (!step_strikes(&trace->steps[step]))
        return;
    order->subject = UINT32_MAX;
    for (uint32_t i = trace_touches_begin(trace->steps, step); i < trace->steps[step].touches_end; i++)
        if (trace->touches[i].access == TOUCH_LEADS && trace->touches[i].object != trace->steps[step].thread)
            take_struck(order, step, (thread_id)trace->touches[i].object);
}

static void take_step(struct order *order, uint32_t step, bool reports)
{
    order->reports = reports;
    order->index[step] = steps_of(order, order->trace->steps[step].thread) + 1;
    if (reports)
        take_strikes(order, step);
    order->subject = step;
    const struct step *at = &order->trace->steps[step];
    thread_id thread = at->thread;
    const uint32_t *known = clock_of_thread(order, thread);
    order->undo[step] = (struct order_undo){order->last[thread], order->last_all, thread};
    find_preds(order, &order->taken[step].footprint, thread, known);
    bool joins = follows(order, step);
    if (order->pred_count == 0 && !joins && order->last[thread] != 0 && !order->led_on[thread])
        order->first[step] = order->first[order->last[thread] - 1];
    else
        known = take_clock(order, step, known, joins);
    if (reports && at->op.choices > 1) {
        struct subject subject = subject_of(order, step, known);
        reverse_choices(order, &subject, step);
    }
    order->led_on[thread] = false;
    order->arrived[thread] = order->last[thread] = step + 1;
    order->led[thread] = order->struck[thread] = 0;
    if (at->flags & (STEP_ALL | STEP_ENDS))
        order->all_before = order->last_all, order->last_all = step + 1;
    note_touches(order, step);
}

/* As if it were carried out now. */
static void take_pending(struct order *order, thread_id thread)
{
    const struct trace *trace = order->trace;
    const struct op *op = &trace->pending[thread];
    struct footprint now = widen(order, op, footprint_predicted(op, op->before));
    struct subject subject = {
        .op = op,
        .thread = thread,
        .before = op->before,
        .known = clock_of_thread(order, thread),
        .footprint = &now,
        .predicts = is_variable(op->kind),
        .times_out = op_may_time_out(op) && op->before == COND_ASLEEP,
    };
    uint32_t last = trace->count - 1;
    const struct step *end = &trace->steps[last];
    if (end->flags & STEP_ENDS && end->thread == thread)
        return;
    if (end->flags & STEP_ENDS && thread_set_has(&end->enabled, thread)) {
        bool same = end->op.object == op->object;
        uint32_t before = same ? end->op.before : op->before;
        struct footprint ours = widen(order, op, footprint_predicted(op, before));
        struct footprint its = order->taken[last].footprint;
        its.all = false;
        struct footprint own = ours; /* what it touches beside its object is not known */
        own.all = op_depends_on_all(op->kind);
        for (uint16_t choice = 0; choice < op->choices; choice++) {
            emit(order, &subject, last, ours, choice, 0, 0);
            if (order->reversal_count > 0)
                order->reversals[order->reversal_count - 1].again =
                    !footprints_conflict(&own, &its) && op->kind != OP_EXIT;
        }
        return;
    }
    if (op->before == COND_ASLEEP && !subject.times_out &&
        (op->kind == OP_COND_WAKE || op->kind == OP_FUTEX_WAKE))
        return;
    if (end->flags & STEP_ENDS) /* it would have to wait there, too */
        order->last_all = order->all_before;
    find_preds(order, subject.footprint, thread, subject.known);
    copy(order, order->scratch, subject.known);
    find_races(order, &subject, order->scratch);
}

void order_learn(struct order *order, const struct trace *trace, const struct event *taken,
                 uint32_t same, uint32_t first_new)
{
    CHECK(trace->count <= order->steps_max);
    order->trace = trace;
    order->taken = taken;
    order->reversal_count = 0;
    bool wider = order->threads < trace->thread_count;
    if (wider)
        order->threads = (trace->thread_count + GROUP - 1) / GROUP * GROUP;
    if (wider || order->steps < same)
        order_clear(order);
    else
        undo_steps(order, same);
    for (uint32_t step = order->steps; step < trace->count; step++) {
        if (order_is_idle(order, step))
            take_idle(order, step);
        else
            take_step(order, step, step >= first_new);
    }
    order->steps = trace->count;
    if (trace->count == 0)
        return;
    order->subject = UINT32_MAX;
    order->reports = true;
    if (order->chooses)
        reverse_choices_again(order, first_new < trace->count ? first_new : trace->count);
    for (uint32_t i = 0; i < order->grown_count && order->grown[i].subject < first_new; i++)
        add(order, &order->grown[i].reversal);
    uint32_t last_all = order->last_all;
    THREADS_EACH(thread, &trace->alive)
        take_pending(order, thread);
    order->last_all = last_all;
}

bool order_keeps_beside(const struct order *order, const struct reversal *reversal, uint32_t step)
{
    for (uint32_t at = reversal->drop_last; at != 0; at = order->touches[at - 1].previous) {
        if (order_is_before(order, order->touches[at - 1].step, step))
            return false;
        if (at == reversal->drop_first)
            break;
    }
    return true;
}
