/* Results of an execution: counters, classes, findings, promoted sites. Inside a
 * journal transaction. */
#ifndef RUNTIME_WORKER_ACCOUNT_H
#define RUNTIME_WORKER_ACCOUNT_H

#include "runtime/engine/runtime.h"

void account_execution(void);
/* The execution is of a portfolio's part that reduces, and gives up if it loses something: that is
 * no loss of the others. */
bool account_is_aside(void);
/* The execution went another way than a reduction had planned, which does not know all that the
 * program does: that does not say that the program is not deterministic. */
bool account_is_astray(void);
bool account_shows_target(void); /* the finding that is looked for */
bool account_wants_stop(void);   /* an error was found and the user did not say --keep-going */
bool account_wants_points(void); /* racing sites are to be scheduling points */
void account_add_points(
    void);                  /* racing sites become scheduling points from the next execution on */
void account_restart(void); /* the counters of one search go back to zero */
void account_progress(const struct progress *progress, bool planned);

#endif
