/* The scheduler: a thread announces its next operation, and goes on when it is chosen to do it. */
#ifndef RUNTIME_ENGINE_SCHEDULER_H
#define RUNTIME_ENGINE_SCHEDULER_H

#include "runtime/engine/history.h"

/* For operations that are not announced by the thread itself: ex.pending[thread] has been set, or
 * there is none any more and the thread is not live. */
void thread_pends(thread_id thread);
void thread_holds(thread_id thread); /* it cannot go on before thread_pends() */
void thread_rests(thread_id thread);

void announce_words(uint64_t head, uint64_t second, uint64_t site);

/* Returns when the calling thread has been chosen to carry out this operation. */
static inline void announce(struct op op)
{
    announce_words((uint64_t)op.kind | (uint64_t)op.size << 8 | (uint64_t)op.choices << 16 |
                       (uint64_t)op.object << 32,
                   op.second, op.site);
}

static inline void announce_on(enum op_kind kind, uint32_t object, uintptr_t site)
{
    announce((struct op){.kind = (uint8_t)kind, .choices = 1, .object = object, .site = site});
}

void thread_begin(thread_id thread, thread_id parent); /* fills in ex.threads[thread] */
void thread_start(thread_id child);        /* runs a new thread up to its first operation */
void thread_wake_joining(thread_id ended); /* joins of it can be carried out */
_Noreturn void thread_end(void);           /* the calling thread is over (fibers do not return) */
_Noreturn void thread_leave(void);         /* it is never chosen again, and has not ended */
void thread_blame(thread_id thread);       /* the end of the execution is its doing */
bool thread_is_last(void);                 /* no other thread is alive */
/* The calling thread runs again after the others; why, for reductions. */
void thread_give_way(enum unreduced cause);

/* Who runs next, from the calling thread, which need not be able to go on. */
thread_id thread_next(struct thread *me);
void thread_wait_go(struct thread *thread); /* kernel carrier: until it is chosen */

void execution_open(void);                          /* before the first instruction of T0 */
_Noreturn void execution_end(enum outcome outcome); /* from anywhere in the program */
_Noreturn void execution_fail(void);                /* a finding ended it */
_Noreturn void execution_fail_in(thread_id thread); /* one in a thread that does not run */

#endif
