/* What a best-first search runs first: a hierarchy of priorities, each with a few levels (GAMBIT,
 * Coons, Burckhardt and Musuvathi 2010). A priority orders, it never leaves out. */
#ifndef STRATEGY_PRIORITY_H
#define STRATEGY_PRIORITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hierarchy.h"

enum worth {
    WORTH_REVERSAL, /* the thread comes before a step that its next operation conflicts with */
    WORTH_SAFETY,   /* it may lead to such a thread, which cannot run there itself */
    WORTH_NOTHING,
};

struct outlook {          /* of an execution that leaves another one at a step */
    uint32_t preemptions; /* it has so many */
    uint32_t decisions;   /* … that are not the default */
    enum worth worth;
    bool asleep;                /* what it runs there was run before: nothing since depends on it */
    uint64_t name;              /* of the execution that it leaves */
    uint8_t named[NAMED_KINDS]; /* of what is left there and what comes instead: how many have been
                                   named */
};

enum priority_kind {
#define PRIORITY(name, levels, names, summary) PRIORITY_##name,
#include "strategy/priorities.def"
#undef PRIORITY
    PRIORITY_KINDS
};

enum { RANDOM_LEVELS = 64, PRIORITY_LEVELS_MAX = 1 << 23 /* of a hierarchy */ };

_Static_assert((int)PRIORITY_KINDS <= (int)PRIORITIES_MAX, "each at most once");

const char *priority_name(enum priority_kind kind);
const char *priority_summary(enum priority_kind kind);
/* From "mdpor,pb" or "method:push,pop,pb"; where it is not understood: the word that is not, and
 * its length. */
const char *hierarchy_parse(struct hierarchy *hierarchy, const char *text, size_t *length);
/* How many levels the hierarchy has, and which of them an execution gets: the lowest is run first.
 */
uint32_t hierarchy_levels(const struct hierarchy *hierarchy);
uint32_t hierarchy_level(const struct hierarchy *hierarchy, const struct outlook *outlook);

#endif
