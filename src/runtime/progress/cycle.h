/* Loops that try, back off and try again: they change what they put back, so they do not merely
 * wait (await.h), and may go round forever. An execution that comes back to a state in which it
 * was at an earlier failed try is found here, at once; other loops only in long executions
 * (watch.h).
 *
 * The state is known by what all threads do at it: where each is (the local state at its last
 * failed try and its steps since), what locks are held (a sum over those taken and given back), and
 * that nothing else was written in between. */
#ifndef RUNTIME_PROGRESS_CYCLE_H
#define RUNTIME_PROGRESS_CYCLE_H

#include "runtime/engine/runtime.h"

void cycle_step(thread_id thread, const struct op *op,
                uint16_t choice);      /* about to be carried out */
void cycle_becomes(enum op_kind kind); /* the kind of the step being carried out */
void cycle_failed(void);               /* the step being carried out changes nothing */
uint32_t cycle_length(void);           /* of what the last steps of the trace repeat; 0: nothing */

#endif
