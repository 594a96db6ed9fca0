/* What workers have learned about the program's memory, for all of them. */
#ifndef COORDINATOR_KNOWLEDGE_H
#define COORDINATOR_KNOWLEDGE_H

#include "coordinator/member.h"

/* While all rest and the search is begun anew: which accesses overlap, which blocks are freed by
 * steps, whether the program sees the time. */
void knowledge_unite(struct member *members, uint32_t count);

#endif
