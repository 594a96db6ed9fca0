/* A search that other workers take part in: giving parts away, taking them in, resting. */
#ifndef RUNTIME_WORKER_SHARE_H
#define RUNTIME_WORKER_SHARE_H

#include "runtime/engine/runtime.h"

/* Nobody has to ask others before the search is begun, or it was said that it may be. */
static inline bool share_may_open(void)
{
    return !the_board->sharing.shared || the_board->shared.search != the_board->sharing.search;
}

static inline bool share_is_asked(void)
{
    return unlikely(the_board->sharing.asked != the_board->shared.given);
}

static inline bool share_is_granted(void)
{
    return the_board->tally.executions + the_board->tally.cut < the_board->control.granted;
}

/* Counts that the others may use; sealed before. */
static inline void share_count(void)
{
    if (unlikely(the_board->sharing.shared))
        __atomic_store_n(&the_common->workers[the_board->sharing.number].executions,
                         the_board->tally.executions, __ATOMIC_RELAXED);
}

void share_open(void); /* inside the transaction that opens a search */
void share_give(void); /* inside a transaction, after learn: answers workers that asked, if anything
                          can be given */
/* Waits while there is nothing to do. false: there never will be. */
bool share_rest(void);

#endif
