/* Carries parcels of pending work between the workers of a crew, and between them and the crown. A
 * worker that rests is woken when there is something to do for it. */
#ifndef COORDINATOR_SHARE_PARCELS_H
#define COORDINATOR_SHARE_PARCELS_H

#include "coordinator/share/crew.h"

double crew_seconds(void);                               /* by CLOCK_MONOTONIC */
uint64_t member_executions(const struct member *member); /* those that were cut included */
bool member_is_idle(const struct member *member);

/* Grants a worker a share of the executions that are left. */
void crew_grant(struct crew *crew, struct member *member);
void member_ring(struct member *member);
void crew_wake(struct crew *crew, struct member *member);

uint32_t board_box_size(const struct board *board); /* bytes of an inbox, and of an outbox */
struct parcel member_inbox(const struct member *member);
void member_deliver(struct member *member, uint32_t size);

/* Brings the parcels that workers gave to idle ones. Returns false if a board cannot be believed.
 */
bool crew_carry(struct crew *crew, struct problem *why);
void crew_ask(struct crew *crew); /* asks busy workers for work as long as others are idle */
/* Brings what workers gave to the crown, and subtrees from the crown to idle workers. */
bool crew_tend_crown(struct crew *crew, struct problem *why);

#endif
