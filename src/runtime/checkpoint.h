/* Where executions begin: at the start, at the first decision, or further on.
 *
 * All executions are alike up to the first decision. A reduced search then leaves more of their first steps
 * as they are, for as long as it looks for other orders of what follows: it lists each decision before that,
 * so that a plan shows whether it comes by a step in the same way. What has stayed for long is likely to stay
 * for as long again, and to move costs something: a number of executions, each time. */
#ifndef RUNTIME_CHECKPOINT_H
#define RUNTIME_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* The first decision is where to begin from now on; the steps before it may be others than they were. */
void checkpoint_anew(void);
/* Before each execution, which is planned: it must come by the checkpoint. */
void checkpoint_place(void);
/* Whether this is the step at which to take it, before it is known who can run; or at a decision. */
bool checkpoint_is_at(uint32_t step);
bool checkpoint_is_at_decision(void);
/* In an execution that comes by; false: it cannot be put back to here. */
bool checkpoint_take(void);
/* What was noted of a step is changed. */
void checkpoint_step_changes(uint32_t step);
/* An execution begins at the checkpoint, which there is: its schedule goes on from there. */
void checkpoint_return(void);

#endif
