/* Calls in signal handlers that are not async-signal-safe. POSIX leaves undefined what happens when
 * a signal interrupts such a function and its handler calls such a function. Two cases are
 * reported: the signal can strike inside a call of malloc or stdio, or while the thread holds a
 * lock.
 *
 * Handlers run at operations only, and the calls of malloc and stdio are none. But a signal from
 * elsewhere that is handled at an operation can strike anywhere in the code of its thread since the
 * operation before: that code does nothing that the sender could wait for. So the call is inside
 * that code, with the signal not blocked. (Accesses that race are an exception, until they are
 * operations.) A signal that the thread sent to itself, or that it let
 * in by changing its mask or by sigsuspend, comes at that call and nowhere else: it interrupts
 * nothing. */
#ifndef RUNTIME_TIME_SIGNAL_UNSAFE_H
#define RUNTIME_TIME_SIGNAL_UNSAFE_H

#include "runtime/engine/runtime.h"

enum call_safety {
    CALL_SAFE,
    CALL_UNSAFE,
    CALL_STATEFUL /* unsafe, and what it interrupts of malloc or stdio may be half-changed */
};

/* SAFETY_name of each function of interpose.def and pointers.def */
#define SAFE(name)   SAFETY_##name = CALL_SAFE,
#define UNSAFE(name) SAFETY_##name = CALL_UNSAFE,
#define STDIO(name)  SAFETY_##name = CALL_STATEFUL,
enum function_safety {
#include "runtime/time/safety.def"
};
#undef SAFE
#undef UNSAFE
#undef STDIO

struct handler { /* one that runs, on the stack of its thread */
    struct handler *outer;
    uint64_t before;           /* what was blocked */
    struct stateful_call last; /* of its thread, before it */
    uint32_t steps;            /* taken when it began */
    uint8_t number;            /* of the signal */
    bool interrupts;           /* it can have come anywhere since its thread's last operation */
    bool checked;              /* it has called an unsafe function */
};

void unsafe_call_slow(enum call_safety safety, const char *name, uintptr_t site);

/* The program calls this function. */
static inline __attribute__((always_inline)) void unsafe_call(int safety, const char *name,
                                                              uintptr_t site)
{
    if (safety != CALL_SAFE && unlikely(ex.signals.handlers_set))
        unsafe_call_slow((enum call_safety)safety, name, site);
}

void handler_begins(struct handler *handler, int number, bool interrupts);

/* The calling thread is about to change its mask: signals that are let in while it holds a lock did
 * not come inside the call that took it. */
void unsafe_mask_changes(uint64_t blocked);

#endif
