/* Loops with futile iterations, where a reduction explores every order of steps.
 *
 * A thread that comes back to where it was, in the same local state, and has changed nothing that
 * lasts is where it would be without that iteration: without these steps all the others could be
 * the same. So the iteration leads nowhere that is not also reached by an execution in which the
 * thread took it later, or not at all, and the reduction runs that: the order of what the iteration
 * has read and the steps that change it is one of those that it reverses. The thread takes no
 * further step, however much changes. Executions in which it could have are cut; if it could not,
 * it waits forever.
 *
 * So a loop costs one class for each way it can end, and one execution that is cut, or a few, for
 * those in which it does not. */
#ifndef RUNTIME_PROGRESS_VAIN_H
#define RUNTIME_PROGRESS_VAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/claim.h"
#include "core/thread.h"

/* The current thread is in the local state in which it was before this step, or after the one
 * before; since then it has taken its steps before `to`. false: it is not known what that means;
 * else it takes no further step, if the iteration was futile, or goes on. What a reduction then
 * does not know are such loops, where it takes no iteration for a futile one. */
bool vain_goes_round(uint32_t from, uint32_t to, enum unreduced loops);
/* Whether somebody has changed what such a thread has read in its last turn. */
bool vain_is_over(thread_id thread);
/* Lets the thread go on nevertheless. */
void vain_forget(thread_id thread);
/* A step of a futile iteration, but for locks that must be given back. */
bool vain_step_is_harmless(uint32_t step);

#endif
