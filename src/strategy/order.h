/* The happens-before relation of a trace, and which of its steps could have come in another order.
 *
 * Clocks say which steps come before which. A step and one before it are in a race if they depend
 * on each other and nothing else puts them in order; then the later one could have come first.
 * Where it could not, because it was blocked then (an unlock and the lock that follows), the step
 * that blocked it is looked for further back. Operations that were still pending at the end take
 * part as if they were carried out there. Time and memory are linear in steps, touches and threads.
 *
 * Executions that follow each other have their first steps in common. What was found for those is
 * kept: the rest is undone and taken anew. None of it lasts: who cannot say that the trace before
 * was learnt to the end begins from the first step. */
#ifndef STRATEGY_ORDER_H
#define STRATEGY_ORDER_H

#include "base/arena.h"
#include "strategy/footprint.h"

enum { ORDER_OBJECTS_MAX = 1 << 16 };

struct reversal { /* `event` could come before `step`, after all that does not come after it */
    uint32_t step, index;           /* of its thread's steps it is this one */
    uint32_t drop_first, drop_last; /* … nor after these touches of an object; 0: none */
    struct event event;
    thread_id thread; /* of the step */
    bool again;       /* after which the step comes all the same: with it the execution ends */
    bool alone;       /* nothing is known to come before it but what comes before the step */
};

enum { SITES_MAX = 32 };

struct sites { /* more than fit: all */
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

struct order { /* of one trace; nothing here lasts */
    const struct trace *trace;
    const struct event *taken; /* by step */
    bool chooses;              /* some step may have several outcomes */
    bool forgets;              /* turns of loops that did nothing are before and after nothing */
    const struct sites *sites; /* of such turns */
    const struct sites *wide;  /* of steps that depend on all by what comes after their operation */
    uint32_t steps_max, touches_max;
    uint32_t steps, touch_count; /* taken so far */
    uint32_t threads;            /* width of a clock: no fewer than any trace has had */
    uint32_t *clocks; /* by the step that was the first to know so much; of its own thread a step
                         knows all that came before */
    uint32_t
        *current; /* by thread, if more than its last step comes before its next: their clock */
    uint32_t *nothing; /* the clock of who knows nothing */
    uint32_t *scratch; /* a clock */
    struct order_step {
        const uint32_t *clock; /* that of the first step of its thread that knew so much */
        uint32_t index;        /* among the steps of its thread, from 1 */
        uint32_t last;         /* 1 + the step of its thread before it, and … */
        uint32_t last_all;     /* … 1 + the last that depends on every other */
        thread_id thread;
        bool idle; /* it is before and after nothing */
    } * by_step;
    struct order_thread {
        const uint32_t *known; /* what comes before its next step, but for its own: a clock */
        uint32_t count;        /* its steps */
        uint32_t last;         /* 1 + its last step */
        uint32_t arrived; /* 1 + the step after which its operation was pending; 0: the start */
        uint32_t led;     /* 1 + the step that woke it whereas it need not have waited; 0 */
        uint32_t leads;   /* 1 + the last touch that leads to it; 0 */
        uint32_t struck; /* 1 + the step that put something else in place of what it was to do; 0 */
        bool led_on; /* more than its last step comes before its next: what is known is `current` */
    } * by_thread;
    uint32_t last_all;   /* 1 + the last step that depends on every other */
    uint32_t all_before; /* … and the one before it */
    uint32_t *preds;     /* steps that the one in hand depends on */
    uint32_t *pred_touches;
    uint32_t pred_count;
    uint32_t generation;
    struct order_object {
        uint32_t generation;
        uint32_t last, write; /* 1 + a touch */
    } * objects;
    struct order_touch {
        struct touch touch; /* TOUCH_FOLLOWS: none that anything hangs on */
        uint32_t step;
        uint32_t
            previous;   /* 1 + the touch of the same object before it, or lead to the same thread */
        uint32_t write; /* the last that wrote the object before it */
    } * touches;
    struct reversal *reversals;
    uint32_t reversal_count, reversals_max;
    struct grown { /* a reversal after which the event touches more than it did: what does not come
                      after the step may later say more */
        struct reversal reversal;
        uint32_t subject; /* the step of the event */
    } * grown;
    uint32_t grown_count;
    uint32_t subject; /* in hand; UINT32_MAX: what was pending */
    bool reports;     /* its reversals are wanted */
    bool grows;       /* … and those after which it touches more */
    bool overflow;    /* some found no room */
};

void order_open(struct order *order, struct arena *arena, uint32_t steps_max, uint32_t touches_max);
/* Forgets all steps. */
void order_clear(struct order *order);
/* Finds the reversals of steps from first_new on, and of what was pending in the end. The steps
 * before `same` are those of the trace before, and so is what was taken there. */
void order_learn(struct order *order, const struct trace *trace, const struct event *taken,
                 uint32_t same, uint32_t first_new);
enum { STEP_IDLES = STEP_IDLE | STEP_DOUBTED };
static inline bool order_forgets(const struct order *order, const struct step *step)
{
    return step->flags & (order->forgets ? STEP_IDLES : STEP_DOUBTED);
}

/* Whether so many steps of a thread come before this one. */
static inline bool order_knows(const struct order_step *step, thread_id thread, uint32_t index)
{
    return (step->thread == thread ? step->index : step->clock[thread]) >= index;
}

static inline bool order_is_before(const struct order *order, uint32_t early, uint32_t late)
{
    const struct order_step *step = &order->by_step[early];
    return order_knows(&order->by_step[late], step->thread, step->index);
}

/* What comes before an operation that was pending in the end, if it is carried out there. */
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
