/* Internals that the files of order.h share: clocks, the subject, and which file does what.
 *
 * order.c processes the steps of a trace, order_pending.c the operations that did not run. Each of
 * these is a subject. order_races.c finds the steps that the subject depends on, and those of them
 * before which it could have come. order_predict.c says whether it could, and what it would have
 * touched there. order_touches.c keeps the last touches of each object, and undoes them. */
#ifndef STRATEGY_ORDER_PARTS_H
#define STRATEGY_ORDER_PARTS_H

#include "base/assert.h"
#include "base/clock.h"
#include "strategy/reduction/order.h"

_Static_assert(THREADS_MAX % CLOCK_GROUP == 0, "the widest clock is no wider");

static inline void clock_join_count(uint32_t *clock, thread_id thread, uint32_t count)
{
    if (clock[thread] < count)
        clock[thread] = count;
}

static inline void clock_join_step(struct order *order, uint32_t *clock, uint32_t step)
{
    const struct order_step *at = &order->by_step[step];
    clock_join(clock, at->clock, order->threads);
    clock_join_count(clock, at->thread, at->index);
}

static inline bool is_known(const struct order *order, thread_id to, const uint32_t *clock,
                            uint32_t step)
{
    const struct order_step *at = &order->by_step[step];
    return at->thread == to || clock[at->thread] >= at->index;
}

static inline struct order_object *object_at(struct order *order, uint32_t number)
{
    CHECK(number < ORDER_OBJECTS_MAX);
    struct order_object *object = &order->objects[number];
    if (object->generation != order->generation)
        *object = (struct order_object){.generation = order->generation};
    return object;
}

/* The step that is being processed, or an operation that was pending. */
struct subject {
    const struct op *op;
    const uint32_t *known;             /* clock of what happens before it in every order */
    const struct footprint *footprint; /* its footprint as it was, or as it would be now */
    uint32_t before;                   /* state of its object */
    thread_id thread;
    uint16_t choice;
    bool predicts;  /* the footprint depends on the state of its object */
    bool times_out; /* a wake that no thread has signalled */
    bool owns;      /* it locked what its own thread holds, for which it never waits */
};

/* First step of the atomic section that contains `step`: no other thread can run inside. */
static inline uint32_t section_begin(const struct order *order, uint32_t step)
{
    while (step > 0 && order->trace->steps[step].flags & STEP_INSIDE)
        step--;
    return step;
}

/* Whether the subject is a timed wait that was woken by `step` or after it: before `step` it would
 * not have been woken. */
static inline bool is_woken_after(const struct order *order, const struct subject *subject,
                                  uint32_t step)
{
    uint32_t woken = order->by_thread[subject->thread].led;
    return woken != 0 && (woken == step + 1 || order_is_before(order, step, woken - 1));
}

/* Widens the footprint of an operation after which the code was seen to depend on everything: it
 * may do so again. */
static inline struct footprint order_widen(const struct order *order, const struct op *op,
                                           struct footprint footprint)
{
    if (order->wide->count > 0)
        footprint.all |= sites_have(order->wide, op->site);
    return footprint;
}

static inline bool is_rwlock_write(uint8_t kind)
{
    return op_traits(kind)->state == OP_STATE_RWLOCK && op_access(kind) == OP_ACCESS_WRITE;
}

static inline bool is_variable(uint8_t kind)
{
    return op_is_predictable(kind) || op_traits(kind)->fails != OP_FAILS_NEVER ||
           kind == OP_FUTEX_WAIT;
}

/* Whether the subject's operation can be disabled (order_predict.c). */
bool subject_may_block(const struct subject *subject);
/* subject_is_overwritten(): the touch initialises or overwrites the memory of the subject's object,
 * so the state before it does not show.
 * subject_state_before(): state of the subject's object before a step that touched it, after all
 * steps that do not happen after that step. */
bool subject_is_overwritten(const struct order *order, const struct subject *subject,
                            uint32_t touch);
uint32_t state_of_blocked(enum op_kind kind);
uint32_t order_readers_after(const struct order *order, uint32_t step);
uint32_t subject_state_before(struct order *order, const struct subject *subject, uint32_t touch,
                              uint32_t last);
/* subject_is_possible(): whether the subject was enabled before a step, with its object in this
 * state.
 * subject_predict(): what the subject would touch there. */
bool subject_is_possible(struct order *order, const struct subject *subject, uint32_t step,
                         uint32_t state);
struct footprint subject_predict(const struct order *order, const struct subject *subject,
                                 uint32_t state);
/* Footprint of a timed wait that no thread has woken. */
struct footprint subject_unwoken(struct order *order, const struct subject *subject, uint32_t step);

/* Fills `preds` with the steps that the subject depends on, from the latest on, without those that
 * are known to happen before it (order_races.c). */
void order_search_preds(struct order *order, const struct footprint *footprint, thread_id thread);
static inline void order_find_preds(struct order *order, const struct footprint *footprint,
                                    thread_id thread)
{
    order->pred_count = 0;
    if ((footprint->count | footprint->all | order->last_all | order->by_thread[thread].led) != 0)
        order_search_preds(order, footprint, thread);
}

/* Finds the steps of `preds` before which the subject could have come. `clock` starts with what is
 * known, and ends with all that happens before the subject. */
void order_find_races(struct order *order, const struct subject *subject, uint32_t *clock);
void order_add(struct order *order, const struct reversal *reversal);
/* Records that the subject, or an operation of `thread`, could have come before the step, with this
 * footprint. order_emit_earlier() is explained in order_races.c. */
void order_emit(struct order *order, const struct subject *subject, uint32_t step,
                struct footprint footprint, uint16_t choice, uint32_t drop_first,
                uint32_t drop_last);
bool order_emit_earlier(struct order *order, thread_id thread, struct footprint footprint,
                        uint32_t step);

/* Notes which objects a step touches and which threads it leads to (order_touches.c). */
void order_note_touches(struct order *order, uint32_t step);
/* Undoes all steps from `same` on. */
void order_undo_steps(struct order *order, uint32_t same);

/* A thread that a step strikes, and a thread that is alive at the end, could have done something
 * else (order_pending.c). */
void order_take_strikes(struct order *order, uint32_t step);
void order_take_pending(struct order *order, thread_id thread);

#endif
