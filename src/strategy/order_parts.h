/* What the files of order.h share: clocks, what is in hand, and who calls whom.
 *
 * order.c takes the steps of a trace, order_pending.c what was not carried out. Each of them is a
 * subject: order_races.c finds the steps that it depends on, and of those the ones before which it
 * could have come; order_predict.c says whether it could, and what it would have done there;
 * order_touches.c keeps who touched what last, and undoes it. */
#ifndef STRATEGY_ORDER_PARTS_H
#define STRATEGY_ORDER_PARTS_H

#include "base/assert.h"
#include "base/clock.h"
#include "strategy/order.h"

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

/* What is in hand: a step, or an operation that was still pending. */
struct subject {
    const struct op *op;
    const uint32_t *known;             /* clock: what is before it whatever happens */
    const struct footprint *footprint; /* as it was, or would be now */
    uint32_t before;                   /* how its object was */
    thread_id thread;
    uint16_t choice;
    bool predicts;  /* the footprint depends on how its object is */
    bool times_out; /* a wake that nobody has signalled */
};

/* Nothing comes in between inside of an atomic section. */
static inline uint32_t section_begin(const struct order *order, uint32_t step)
{
    while (step > 0 && order->trace->steps[step].flags & STEP_INSIDE)
        step--;
    return step;
}

/* A timed wait that was woken, and before this step would not have been. */
static inline bool is_woken_after(const struct order *order, const struct subject *subject,
                                  uint32_t step)
{
    uint32_t woken = order->by_thread[subject->thread].led;
    return woken != 0 && (woken == step + 1 || order_is_before(order, step, woken - 1));
}

/* What comes after an operation may do what it did another time. */
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

/* Whether it can be kept from going on (order_predict.c). */
bool subject_may_block(const struct subject *subject);
/* How its object was before a step that touched it, with all that does not come after it carried
 * out. */
/* The subject is an operation on an object whose memory that touch initialises or overwrites: how
 * it was before does not show. */
bool subject_is_overwritten(const struct order *order, const struct subject *subject,
                            uint32_t touch);
uint32_t subject_state_before(struct order *order, const struct subject *subject, uint32_t touch,
                              uint32_t last);
/* Whether it could go on before a step, with its object in that state, and what it would do. */
bool subject_is_possible(struct order *order, const struct subject *subject, uint32_t step,
                         uint32_t state);
struct footprint subject_predict(const struct order *order, const struct subject *subject,
                                 uint32_t state);
/* What a timed wait would do if nobody had woken it. */
struct footprint subject_unwoken(struct order *order, const struct subject *subject, uint32_t step);

/* The steps that it depends on, from the latest on, but for those that are known to come before:
 * preds (order_races.c). */
void order_search_preds(struct order *order, const struct footprint *footprint, thread_id thread);
static inline void order_find_preds(struct order *order, const struct footprint *footprint,
                                    thread_id thread)
{
    order->pred_count = 0;
    if ((footprint->count | footprint->all | order->last_all | order->by_thread[thread].led) != 0)
        order_search_preds(order, footprint, thread);
}

/* Those of them before which it could have come. `clock` begins with what is known, and in the end
 * has all. */
void order_find_races(struct order *order, const struct subject *subject, uint32_t *clock);
void order_add(struct order *order, const struct reversal *reversal);
/* It could have come before the step, with this footprint. */
void order_emit(struct order *order, const struct subject *subject, uint32_t step,
                struct footprint footprint, uint16_t choice, uint32_t drop_first,
                uint32_t drop_last);
bool order_emit_earlier(struct order *order, thread_id thread, struct footprint footprint,
                        uint32_t step);

/* What a step touches, and to whom it leads, for those to come (order_touches.c). */
void order_note_touches(struct order *order, uint32_t step);
/* Only the steps before `same` stay. */
void order_undo_steps(struct order *order, uint32_t same);

/* Whom a step strikes, and who was left in the end, could have done something else
 * (order_pending.c). */
void order_take_strikes(struct order *order, uint32_t step);
void order_take_pending(struct order *order, thread_id thread);

#endif
