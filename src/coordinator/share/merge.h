/* Merges the results of several workers, as if one worker had found them. */
#ifndef COORDINATOR_SHARE_MERGE_H
#define COORDINATOR_SHARE_MERGE_H

#include "coordinator/share/crew.h"

/* Puts all results on the first board, after the last worker has ended. The boards must be
 * sound. */
void merge_crew(struct crew *crew);
/* Adds the findings of another board. A finding that both have counts once. */
void merge_findings(struct board *to, const struct board *from);
/* adds one of the findings */
void merge_finding(struct board *to, const struct board *from, uint32_t index);

#endif
