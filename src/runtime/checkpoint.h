/* Where executions begin: at the start, at the first decision, or further on.
 *
 * All executions are alike up to the first decision, and most searches leave more of their first steps as they are for
 * a while: for how long is foretold from how long it was so far (core/forecast.h). What it takes to move the
 * checkpoint to another step is measured, and so is what a step takes: it is moved where that pays, and no more once it
 * has not. Whatever is foretold, an execution begins there only if its plan decides all steps before as they were. */
#ifndef RUNTIME_CHECKPOINT_H
#define RUNTIME_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* The first decision is where to begin from now on; the steps before it may be others than they were. */
void checkpoint_anew(void);
/* Before each execution, which is planned: it must come by the checkpoint. */
void checkpoint_place(void);
/* The same before an execution is run once more. */
void checkpoint_keep(void);
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
