/* What one of the strategies of a portfolio has done in the last search. */
#ifndef CORE_CONTRIBUTION_H
#define CORE_CONTRIBUTION_H

#include <stdint.h>

enum { CONTRIBUTIONS_MAX = 16 };

struct contribution {
    const char *strategy;
    uint64_t executions; /* that it planned, cut ones too */
    uint64_t
        classes; /* that it was the first to show; a reduction's are not compared with others' */
    uint64_t lately; /* … of them in the last few hundred executions of all */
    uint64_t
        failed; /* of the executions: those that ended in a failure, a deadlock or a livelock */
};

#endif
