/* The result of the search for critical orders. It lies at the start of the arena, for the
 * coordinator. */
#ifndef STRATEGY_CRITICAL_H
#define STRATEGY_CRITICAL_H

#include "strategy/minimise/orders.h"

enum critical_phase {
    CRITICAL_FIRST,   /* the failing execution, as it was found */
    CRITICAL_NEAR,    /* executions that leave the failing one at one step */
    CRITICAL_SAMPLE,  /* random executions that keep the orders of the set */
    CRITICAL_EXHAUST, /* all executions that keep the orders of the set, depth first */
    CRITICAL_ENDED,
};

struct critical_frame {    /* A decision of the depth-first search. */
    uint16_t index, count; /* the alternative taken, and the number of alternatives */
};

struct critical_result {
    struct critical_now {
        uint32_t phase; /* enum critical_phase */
        /* In CRITICAL_NEAR: the step at which it is left, and the way. */
        uint32_t near_step, near_next;
        uint32_t near_tried;
        /* In CRITICAL_SAMPLE and CRITICAL_EXHAUST: executions, with those that could not keep the
         * set. */
        uint32_t attempts;
        uint32_t frame_count;  /* number of decisions that stay as they are */
        uint64_t number;       /* number of executions so far */
        uint64_t tried;        /* executions that kept the orders of the set; all of them failed */
        uint64_t tried_before; /* value of `tried` when this phase began */
        bool all;              /* `tried` counts every execution that keeps the orders */
        bool shown;            /* the failing execution showed the finding again */
    } now;
    struct orders orders;
};

#endif
