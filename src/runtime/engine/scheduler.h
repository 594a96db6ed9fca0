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

/* Chooses the next thread, from the calling one, which need not be able to go on. */
thread_id thread_next(struct thread *me);
void thread_wait_go(struct thread *thread); /* kernel carrier: until it is chosen */

void execution_open(void);                          /* before the first instruction of T0 */
_Noreturn void execution_end(enum outcome outcome); /* from anywhere in the program */
_Noreturn void execution_fail(void);                /* a finding ended it */
_Noreturn void execution_fail_in(thread_id thread); /* one in a thread that does not run */

/* A thread that computes without coming to an operation. It is stopped where it is and never runs
 * again in this execution; the others run on, and main may end the program. Only if none of them
 * can run on does the execution hang.
 *
 * The coordinator sends SIGURG to say that nothing has moved (core/control.h, enum urge). A thread
 * is taken to be endless after the limit of --hang, or at once if a thread with the same history
 * was. When the time of the search is over, a thread that still computes is stopped as well. Nobody
 * knows what it would have done: the execution then proves nothing. */
bool busy_is_left(void); /* a thread was */
/* Whether the running thread is known to take too long, or the search is over. */
bool busy_believed(void);
bool busy_others_can_run(void);
/* Whether it can be stopped where it is. */
bool busy_can_stop(uintptr_t pc);
bool busy_may_wait(void); /* the next signal may find it in a better place */
/* In the handler of SIGURG: changes `context` so that the handler returns into code that switches
 * away from the thread for good. `site`: the program's code that the thread was running. */
void busy_stop(void *context, uintptr_t site, uintptr_t caller);
/* Whether a thread with the history of the running one has made very many accesses and no step; it
 * has now. */
bool busy_takes_long(void);
void busy_gives_way(void);
uint32_t busy_counts_step(void); /* accesses of this execution that became steps for that */
_Noreturn void busy_leave(uintptr_t site); /* at an access, after very many of them */
/* When nobody can run on. Returns if no thread was left. */
void busy_end(void);
/* The execution has ended. */
void busy_note(enum outcome outcome);

#endif
