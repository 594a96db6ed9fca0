/* What several workers found, as if one had. */
#ifndef COORDINATOR_MERGE_H
#define COORDINATOR_MERGE_H

#include "coordinator/crew.h"

/* After the last worker has ended, on boards that are sound: all results go to the first board. */
void merge_crew(struct crew *crew);
/* What was found on another board is found here, too, once. */
void merge_findings(struct board *to, const struct board *from);
void merge_finding(struct board *to, const struct board *from, uint32_t index); /* one of them */

#endif
