/* What each strategy of a portfolio has done, over all workers. */
#ifndef COORDINATOR_CONTRIBUTION_H
#define COORDINATOR_CONTRIBUTION_H

#include "coordinator/board.h"
#include "core/verdict.h"

/* Nothing if the strategy is none. */
void contributions_add(struct verdict *out, const struct board_handle *boards, uint32_t count);
/* Who has shown most that is new lately; NULL: nobody has, or the strategy is no portfolio. May be
 * asked while the search runs. */
const char *contributions_leader(const struct board_handle *boards, uint32_t board_count);

#endif
