/* The schedule is all that decides: if an execution goes another way than it should, something that
 * is not under control decides, too. Here is found out at which step, what was expected and what
 * came. */
#ifndef RUNTIME_WORKER_REPEAT_H
#define RUNTIME_WORKER_REPEAT_H

#include "runtime/engine/runtime.h"

/* Afterwards: looks for the first step that was not as in the execution before, or is not when it
 * is run once more. */
void divergence_explain(void);

/* The first execution is run twice, and so are some later ones that follow no given schedule, to
 * find nondeterminism: dependence on time, chance or files mostly shows there. */
bool repeat_is_due(void);
bool repeat_begin(void); /* false: in another process, which calls repeat_end */
void repeat_end(void);   /* ends that process */

#endif
