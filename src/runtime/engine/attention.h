/* Work of a step beside choosing and recording it, and the rooms that asked for it. */
#ifndef RUNTIME_ENGINE_ATTENTION_H
#define RUNTIME_ENGINE_ATTENTION_H

#include "runtime/engine/runtime.h"
#include "runtime/engine/upper.h"

/* Fingerprints of states, for a strategy (snapshot/program_state.h) */
static inline bool states_are_compared(void)
{
    return ex.attention & ATTENTION_STATE;
}

/* A long execution is watched for a state that comes back (progress/watch.h). */
static inline bool watch_is_on(void)
{
    return ex.attention & ATTENTION_WATCH;
}

/* All orders of a loop's steps are tried (progress/round_search.h). */
static inline bool wanders(void)
{
    return ex.attention & ATTENTION_WANDER;
}

/* Detectors see all accesses that may be shared (engine/detectors.h). */
static inline bool detectors_see_accesses(void)
{
    return ex.detectors.access != 0;
}

void detectors_open(void); /* before an execution: which detectors look at it */
void attend_step(void);    /* the thread carries out its step now, and somebody looks at it */
void detectors_end(void);  /* the program ends by itself */

/* Each plain access to shared memory is looked at (memory/discipline.h). */
static inline bool discipline_needed(void)
{
    return rt.options->lockset_warns || (rt.strategy != NULL && rt.strategy->traits.disciplined);
}

static inline bool discipline_wanted(void)
{
    return detectors_see_accesses() || discipline_needed();
}

/* The pending read need not wait: it does not spin, or what it read has changed. */
static inline bool await_is_idle(const struct await *await)
{
    return await->turn == NOT_AWAITING || await_is_over(await);
}

/* A step of a signal handler or of a cancellation, in place of what the thread announced */
static inline bool is_alert(uint8_t kind)
{
    return kind == OP_CANCELLED || kind == OP_SIGNAL_HANDLE;
}

void attention_at_operation(uintptr_t site); /* the calling thread announces one */
void stack_leave_nothing(void);              /* below: of ours, where states are compared */

#endif
