/* Shares what each worker has learned about the program's memory with all workers. */
#ifndef COORDINATOR_SHARE_KNOWLEDGE_H
#define COORDINATOR_SHARE_KNOWLEDGE_H

#include "coordinator/share/member.h"

/* To be called while all workers rest before a restart. Unites which accesses overlap, which blocks
 * are freed by steps, whether the program looks at the time, and whether executions fail. */
void knowledge_unite(struct member *members, uint32_t count);

#endif
