/* How much one strategy of a portfolio has contributed to the last search. */
#ifndef CORE_CONTRIBUTION_H
#define CORE_CONTRIBUTION_H

#include <stdint.h>

enum { CONTRIBUTIONS_MAX = 16 };

struct contribution {
    const char *strategy;
    uint64_t executions; /* executions that this strategy planned, including those that were cut */
    /* classes first shown by this strategy; a reduction's are not compared with others' */
    uint64_t classes;
    /* the part of `classes` from the last few hundred executions of the portfolio */
    uint64_t lately;
    uint64_t
        failed; /* executions of this strategy that ended in a failure, a deadlock or a livelock */
};

#endif
