/* All searches of one run. The first may be repeated without findings that are suppressed, and past
 * errors that every execution has; a second may follow, with a spurious wake-up. */
#ifndef COORDINATOR_VERDICT_SEARCHES_H
#define COORDINATOR_VERDICT_SEARCHES_H

#include "coordinator/minimise/corpus.h"
#include "coordinator/minimise/suppress.h"
#include "coordinator/search/explore.h"

struct searches {
    struct worker_pool *pool;
    struct board_handle *boards; /* one for each worker; those of the last search afterwards */
    struct job *job;
    const struct suppressions *suppressions;
    const struct corpus *corpus;
    struct worker_output to;
    struct budget budget;
    struct leaving leaving;
    struct exploration exploration;
    const char *said; /* a note about a search whose boards were dropped; NULL: none was */
};

bool boards_make(struct board_handle *boards, const struct job *job, struct problem *why);
void boards_drop(struct board_handle *boards, uint32_t count);

/* `spurious`: the second search is run if it is worth it. */
bool searches_run(struct searches *all, bool spurious, struct problem *why);

#endif
