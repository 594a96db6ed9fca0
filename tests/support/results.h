/* The results of a search within a bound, to be compared with another's. */
#ifndef SUPPORT_RESULTS_H
#define SUPPORT_RESULTS_H

#include "strategy/reduction/bpor.h"
#include "support/search.h"

struct result { /* of an execution: its class, how it ended, and at which bound it was shown */
    uint64_t class[2];
    int32_t values[TOY_OBJECTS_MAX];
    uint64_t waiting;
    uint32_t outcome;
    int32_t bound; /* last: the least comes first */
};

struct results {
    struct result *items;
    size_t count, capacity;
    uint64_t executions, cut; /* `cut` counts some of `executions` */
    struct progress progress;
};

/* The execution in search->trace. */
void results_add(struct results *results, const struct search *search, int32_t bound);
/* Each once, with the least of its bounds. */
void results_sort(struct results *results);
/* Of a whole search; with all rules, or without one. False: there are more executions than `most`.
 */
bool results_of(const struct toy_program *program, const char *strategy, int32_t bound,
                uint64_t most, struct results *results);
bool results_without(const struct toy_program *program, const char *strategy, int32_t bound,
                     enum bpor_rule left_out, uint64_t most, struct results *results);
bool results_same(const struct results *a, const struct results *b);
uint64_t results_up_to(const struct results *results, int32_t bound);
void results_free(struct results *results);

#endif
