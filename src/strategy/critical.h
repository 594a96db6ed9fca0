/* What the search for critical orders leaves at the beginning of its arena, for the coordinator. */
#ifndef STRATEGY_CRITICAL_H
#define STRATEGY_CRITICAL_H

#include "strategy/orders.h"

enum critical_phase {
    CRITICAL_FIRST,   /* the execution that fails, as it was found */
    CRITICAL_NEAR,    /* others that leave it at one step */
    CRITICAL_SAMPLE,  /* random ones that keep the orders of the set */
    CRITICAL_EXHAUST, /* all that keep them, depth first */
    CRITICAL_ENDED,
};

struct critical_frame {    /* of the depth-first search: a decision */
    uint16_t index, count; /* the alternative taken, of so many */
};

struct critical_result {
    struct critical_now {
        uint32_t phase;                /* enum critical_phase */
        uint32_t near_step, near_next; /* in CRITICAL_NEAR: where it is left, and how */
        uint32_t near_tried;
        uint32_t attempts;     /* in CRITICAL_SAMPLE and CRITICAL_EXHAUST, also those that could not
                                  keep the set */
        uint32_t frame_count;  /* decisions that are kept as they are */
        uint64_t number;       /* executions so far */
        uint64_t tried;        /* that keep the orders of the set; all of them fail, … */
        uint64_t tried_before; /* … of these before the depth-first search */
        bool all;              /* … and these are all that there are */
        bool shown;            /* the execution as it was found shows the finding */
    } now;
    struct orders orders;
};

#endif
