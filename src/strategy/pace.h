/* How the share of a tree that was explored grew with the executions: at a bound it grows much as
 * at the bound before, of which is known how many there were in the end. Branches that come first
 * are larger, as those that were explored sleep in the others; so the share alone says that far
 * more is left than there is. */
#ifndef STRATEGY_PACE_H
#define STRATEGY_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { PACE_POINTS_MAX = 256 }; /* four for each time that executions double */

struct pace {
    uint64_t total; /* executions of the whole tree; 0: not known yet */
    uint32_t count; /* of points */
};

struct pace_point {
    uint64_t executions, share; /* in units of 2^-64 */
};

bool pace_is_due(uint64_t executions); /* more often than shares.h would have it */
/* All but the last of so many explored this share. A new point lies beyond the count, which is the
 * caller's to save. */
void pace_note(struct pace *pace, struct pace_point *points, uint64_t executions, uint64_t share);
/* At the next bound, when so many have explored such a share: the part of all that this is, in the
 * same units. All that was run at a bound is run again at the next, so that it is no more than if
 * there were as many. */
uint64_t pace_part(const struct pace *pace, const struct pace_point *points, uint64_t executions,
                   uint64_t share);

#endif
