/* What each strategy of a portfolio has done, over all workers. */
#ifndef COORDINATOR_CONTRIBUTION_H
#define COORDINATOR_CONTRIBUTION_H

#include "coordinator/board.h"
#include "core/verdict.h"

/* Nothing if the strategy is none. */
void contributions_add(struct verdict *out, const struct board_handle *boards, uint32_t count);

#endif
