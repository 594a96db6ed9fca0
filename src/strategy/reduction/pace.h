/* The pace of a bounded search: how the explored share of a tree grew with the executions. At a
 * bound it grows much as at the bound before, for which the total is known. Branches explored first
 * are larger, since the alternatives explored before sleep in the others. So the share alone says
 * that far more is left than there is. */
#ifndef STRATEGY_PACE_H
#define STRATEGY_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { PACE_POINTS_MAX = 256 }; /* four points each time the number of executions doubles */

struct pace {
    uint64_t total; /* executions of the whole tree; 0: not known yet */
    uint32_t count; /* number of points */
};

struct pace_point {
    uint64_t executions, share; /* the share is in units of 2^-64 */
};

/* Whether to note now which share of the tree is explored; due more often than in shares.h. */
bool pace_is_due(uint64_t executions);
/* Notes that all but the last of so many executions explored this share. A new point lies beyond
 * the count, which the caller saves. */
void pace_note(struct pace *pace, struct pace_point *points, uint64_t executions, uint64_t share);
/* At the next bound, when so many executions have explored such a share: their part of all
 * executions, in the same units. Every class of a bound is explored again at the next one, so the
 * part is at most what it would be with the old total. */
uint64_t pace_part(const struct pace *pace, const struct pace_point *points, uint64_t executions,
                   uint64_t share);

#endif
