/* A loop that came back to where it had been, as the trace shows it: the steps from `from` to the
 * end are one time round. Can it go on like that forever, and can it do anything else? */
#ifndef RUNTIME_PROGRESS_ROUND_H
#define RUNTIME_PROGRESS_ROUND_H

#include "runtime/engine/runtime.h"

enum { ROUND_MAX = 400 }; /* steps that are looked at */

/* Every thread enabled at some step takes one: no other could end the loop. */
bool round_takes_all(uint32_t from);
/* Nothing was decided on the way. */
bool round_is_forced(uint32_t from);
/* No step changes what another of them fails at. */
bool round_fails_again(uint32_t from);
/* No other thread changes what a step has seen, and no outcome was chosen: in every order of
 * these steps it sees the same. */
bool round_sees_same(uint32_t from);
/* Threads that were left out come first now: the execution must get on. */
void round_let_others(uint32_t from);

#endif
