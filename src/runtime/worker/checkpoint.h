/* Where executions begin: at the start, at the first decision, or further on.
 *
 * All executions are alike up to the first decision, and most searches leave more of their first
 * steps as they are for a while. So there are several checkpoints, one behind the other, on the way
 * of the last execution: the next begins at the last of them that its plan comes by, and those
 * behind it are dropped. Steps that it runs again, since no checkpoint is nearer to where it leaves
 * the one before, are counted: when they have taken as much time as it takes to take a checkpoint,
 * both of which is measured, one is taken half-way there. So all of them together never cost much
 * more than doing without, wherever a search goes; and where they were of no use, they are taken
 * ever less often. */
#ifndef RUNTIME_WORKER_CHECKPOINT_H
#define RUNTIME_WORKER_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* The first decision is where to begin from now on; the steps before it may be others than they
 * were. */
void checkpoint_anew(void);
/* Before each execution, which is planned: it must come by the checkpoints that stay. */
void checkpoint_place(void);
/* Keeps the checkpoints before an execution is run once more. */
void checkpoint_keep(void);
/* In an execution that comes by; false: it cannot be put back to here. */
bool checkpoint_take(void);
/* An execution begins at the last checkpoint, of which there is one: its schedule goes on from
 * there. */
void checkpoint_return(void);
/* The program's code is about to run; it has ended. */
void checkpoint_time_begins(void);
void checkpoint_time_ends(void);

#endif
