/* From the board to the facts that a claim is made of. */
#ifndef COORDINATOR_SEARCH_CLAIM_FACTS_H
#define COORDINATOR_SEARCH_CLAIM_FACTS_H

#include "core/claim.h"

struct board;

/* `refusal` may be NULL. */
struct claim_facts claim_facts_of(const struct board *board, enum stop_reason stopped,
                                  const char *refusal);

#endif
