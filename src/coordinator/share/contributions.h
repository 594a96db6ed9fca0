/* Adds up what each strategy of a portfolio has contributed, over all workers. */
#ifndef COORDINATOR_SHARE_CONTRIBUTIONS_H
#define COORDINATOR_SHARE_CONTRIBUTIONS_H

#include "coordinator/worker/boards.h"
#include "core/verdict.h"

/* Adds nothing if the strategy is no portfolio. */
void contributions_add(struct verdict *out, const struct board_handle *boards, uint32_t count);
/* The strategy that has shown most new classes lately; NULL: none has, or the strategy is no
 * portfolio. May be called while the search runs. */
const char *contributions_leader(const struct board_handle *boards, uint32_t board_count);

#endif
