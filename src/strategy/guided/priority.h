/* The priorities of a best-first search: a hierarchy of them says which execution runs first, each
 * priority with a few levels (GAMBIT, Coons, Burckhardt and Musuvathi 2010). A priority orders
 * executions, it never leaves any out. */
#ifndef STRATEGY_PRIORITY_H
#define STRATEGY_PRIORITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/hierarchy.h"

enum worth {
    WORTH_REVERSAL, /* the thread comes before a step that its next operation conflicts with */
    WORTH_SAFETY,   /* the thread may lead to such a thread, which is disabled there */
    WORTH_NOTHING,
};

struct outlook {          /* An execution that leaves another one at a step. */
    uint32_t preemptions; /* number of its preemptions */
    uint32_t decisions;   /* number of its decisions that differ from the default */
    enum worth worth;
    bool asleep;   /* its operation there was run before, and no step since depends on it */
    uint64_t name; /* name of the execution that it leaves */
    /* By kind that --priority names: how many of two operations are of it, the pending one of the
     * thread that is preempted and the first one of the thread that runs instead. */
    uint8_t named[NAMED_KINDS];
};

enum priority_kind {
#define PRIORITY(name, levels, names, summary) PRIORITY_##name,
#include "strategy/guided/priorities.def"
#undef PRIORITY
    PRIORITY_KINDS
};

enum { RANDOM_LEVELS = 64, PRIORITY_LEVELS_MAX = 1 << 23 /* limit of levels of a hierarchy */ };

_Static_assert((int)PRIORITY_KINDS <= (int)PRIORITIES_MAX, "each at most once");

const char *priority_name(enum priority_kind kind);
const char *priority_summary(enum priority_kind kind);
/* Parses "mdpor,pb" or "method:push,pop,pb". Returns NULL, or the first word that is not
 * understood, with its length. */
const char *hierarchy_parse(struct hierarchy *hierarchy, const char *text, size_t *length);
/* The number of levels of a hierarchy; the level of an execution. The lowest level runs first. */
uint32_t hierarchy_levels(const struct hierarchy *hierarchy);
uint32_t hierarchy_level(const struct hierarchy *hierarchy, const struct outlook *outlook);

#endif
