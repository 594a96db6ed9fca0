/* The happens-before relation of a trace, and the steps of it that could have come in another
 * order.
 *
 * Vector clocks say which steps happen before which. A step and an earlier one race if they depend
 * on each other and nothing else orders them; then the later one could have come first. If the
 * later one was blocked there (a lock after an unlock), the step that blocked it is looked for
 * further back. Operations that were pending at the end take part as if they ran there. Time and
 * memory are linear in steps, touches and threads.
 *
 * Successive executions share their first steps. The results for those are kept; the rest is undone
 * and computed again. Nothing here lasts: a caller that cannot be sure that the last trace was
 * learnt to the end must start at the first step. */
#ifndef STRATEGY_ORDER_H
#define STRATEGY_ORDER_H

#include "base/arena.h"
#include "strategy/reduction/footprint.h"

enum { ORDER_OBJECTS_MAX = 1 << 16 };

/* A reversal: `event` could come before `step`, after all steps that do not happen after `step`. */
struct reversal {
    uint32_t step, index; /* `index` is the number of `step` among the steps of its thread */
    /* Touches of one object whose steps the event precedes, too; 0: none. */
    uint32_t drop_first, drop_last;
    /* 1 + the last step that the thread of the event has taken: touches that happen before it are
     * not dropped; 0: none. */
    uint32_t after;
    struct event event;
    thread_id thread; /* thread of `step` */
    bool again;       /* the step still follows the event: it is the step that ends the execution */
    bool alone;       /* the event comes directly at `step`: no later step is put before it */
};

enum { SITES_MAX = 32 };

struct sites { /* A set of sites; with a count above SITES_MAX it holds every site. */
    uint64_t site[SITES_MAX];
    uint32_t count;
};

static inline bool sites_have(const struct sites *sites, uint64_t site)
{
    for (uint32_t i = 0; i < sites->count && sites->count <= SITES_MAX; i++)
        if (sites->site[i] == site)
            return true;
    return sites->count > SITES_MAX;
}

static inline void sites_add(struct sites *sites, uint64_t site)
{
    if (sites->count < SITES_MAX)
        sites->site[sites->count] = site;
    if (sites->count <= SITES_MAX)
        sites->count++;
}

struct order { /* The order of one trace; nothing here lasts. */
    const struct trace *trace;
    const struct event *taken; /* events of the trace, by step */
    bool chooses;              /* some step may have several outcomes */
    bool forgets;              /* futile iterations of loops are ordered with no other step */
    const struct sites *sites; /* sites of futile iterations */
    /* Sites of steps that depend on all others because of the code after their operation. */
    const struct sites *wide;
    uint32_t steps_max, touches_max;
    uint32_t steps, touch_count; /* number of steps and touches processed so far */
    uint32_t threads;            /* width of a clock: at least the threads of any trace so far */
    /* Clocks by step, for steps that know more than the step of their thread before. A step also
     * knows all earlier steps of its own thread, whatever the clock says. */
    uint32_t *clocks;
    /* Clocks by thread, in use while `led_on`. */
    uint32_t *current;
    uint32_t *nothing; /* a clock of zeros */
    uint32_t *scratch; /* one clock of scratch space */
    struct order_step {
        const uint32_t *clock; /* clock of the first step of its thread that knew as much */
        uint32_t index;        /* number among the steps of its thread, from 1 */
        uint32_t last;         /* 1 + the step of its thread before it; 0: none */
        /* 1 + the last step before it that depends on every other step; 0: none. */
        uint32_t last_all;
        thread_id thread;
        bool idle; /* a futile iteration: the step is ordered with no other step */
    } * by_step;
    struct order_thread {
        /* Clock of what happens before its next step, except its own steps. */
        const uint32_t *known;
        uint32_t count;   /* number of its steps */
        uint32_t last;    /* 1 + its last step; 0: none */
        uint32_t arrived; /* 1 + the step after which its operation was pending; 0: the start */
        uint32_t led;     /* 1 + the step that woke the thread although it was enabled; 0: none */
        uint32_t leads;   /* 1 + the last touch that leads to the thread; 0: none */
        uint32_t struck;  /* 1 + the step that replaced its pending operation; 0: none */
        /* More than its last step happens before its next step: `known` is its clock in
         * `current`. */
        bool led_on;
    } * by_thread;
    uint32_t last_all;   /* 1 + the last step that depends on every other step; 0: none */
    uint32_t all_before; /* the value of last_all before that step */
    uint32_t *preds;     /* steps that the subject depends on */
    uint32_t *pred_touches;
    uint32_t pred_count;
    uint32_t generation;
    struct order_object {
        uint32_t generation;
        uint32_t last, write; /* 1 + a touch; 0: none */
    } * objects;
    struct order_touch {
        struct touch touch; /* TOUCH_FOLLOWS: it only orders two steps and is in no object's list */
        uint32_t step;
        /* 1 + the touch before it of the same object, or that leads to the same thread; 0: none. */
        uint32_t previous;
        uint32_t write; /* 1 + the last touch before it that wrote the object; 0: none */
    } * touches;
    struct reversal *reversals;
    uint32_t reversal_count, reversals_max;
    /* A reversal after which the event touches more than it did: steps that do not happen after
     * `step` may later turn out to matter. */
    struct grown {
        struct reversal reversal;
        uint32_t subject; /* the step whose event it is */
    } * grown;
    uint32_t grown_count;
    uint32_t subject; /* the step that is being processed; UINT32_MAX: a pending operation */
    bool reports;     /* the reversals of the subject are wanted */
    bool grows;       /* reversals after which the subject touches more are wanted */
    bool overflow;    /* some reversals found no room */
};

void order_open(struct order *order, struct arena *arena, uint32_t steps_max, uint32_t touches_max);
/* Forgets all steps. */
void order_clear(struct order *order);
/* Finds the reversals of the steps from first_new on, and of the operations pending at the end. The
 * steps before `same`, and their events, are those of the trace learnt before. */
void order_learn(struct order *order, const struct trace *trace, const struct event *taken,
                 uint32_t same, uint32_t first_new);
enum { STEP_IDLES = STEP_IDLE | STEP_DOUBTED };
static inline bool order_forgets(const struct order *order, const struct step *step)
{
    return step->flags & (order->forgets ? STEP_IDLES : STEP_DOUBTED);
}

/* Whether the first `index` steps of a thread happen before this step. */
static inline bool order_knows(const struct order_step *step, thread_id thread, uint32_t index)
{
    return (step->thread == thread ? step->index : step->clock[thread]) >= index;
}

static inline bool order_is_before(const struct order *order, uint32_t early, uint32_t late)
{
    const struct order_step *step = &order->by_step[early];
    return order_knows(&order->by_step[late], step->thread, step->index);
}

/* Finds the clock of an operation that was pending at the end, as if it were carried out there. */
void order_find_clock_of_pending(struct order *order, thread_id thread, uint32_t *clock);

/* The steps that come before the event of a reversal, in place of its step. */
bool order_keeps_beside(const struct order *order, const struct reversal *reversal, uint32_t step);
static inline bool order_keeps(const struct order *order, const struct reversal *reversal,
                               uint32_t step)
{
    const struct order_step *at = &order->by_step[step];
    if (reversal->alone || at->idle || order_knows(at, reversal->thread, reversal->index))
        return false;
    return reversal->drop_first == 0 || order_keeps_beside(order, reversal, step);
}

#endif
