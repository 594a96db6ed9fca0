/* The explored share of a tree, noted now and then, for an estimate of the whole. */
#ifndef STRATEGY_SHARES_H
#define STRATEGY_SHARES_H

#include <stdbool.h>

#include "core/estimate.h"

enum { SHARES_EVERY = 1 << 12 };

static inline bool shares_double(uint64_t executions)
{
    return (executions & (executions - 1)) == 0;
}

static inline bool shares_are_due(uint64_t executions)
{
    return shares_double(executions) || executions % SHARES_EVERY == 0;
}

/* Notes the share of the tree that all but the last of so many executions explored. The caller sets
 * the kind of the estimate. */
static inline void shares_note(struct estimate *estimate, uint64_t executions, uint64_t share)
{
    for (int i = SHARES - 1; shares_double(executions) && i > 0; i--)
        estimate->shares[i] = estimate->shares[i - 1];
    estimate->shares[0].executions = executions;
    estimate->shares[0].share = share;
}

#endif
