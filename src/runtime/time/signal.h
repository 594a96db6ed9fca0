/* Signals as the program sends and handles them; the kernel is not asked. Signal n is bit n - 1 of
 * a set. Handlers run at operations: a signal that a thread does not block comes before its next
 * one. */
#ifndef RUNTIME_TIME_SIGNAL_H
#define RUNTIME_TIME_SIGNAL_H

#include <signal.h>

#include "runtime/engine/runtime.h"

enum { SIGNALS_END = 65 };

struct queued { /* a pending signal */
    siginfo_t info;
    struct queued *next;
};

void signals_begin(void); /* before the first execution: what the process was started with */

/* Questions of the scheduler and of alerts. */
uint64_t signal_to_handle(thread_id thread); /* pending and not blocked */
bool signal_restarts(thread_id thread);      /* all of those were installed with SA_RESTART */

/* Runs the handlers of all signals that are pending for the calling thread and not blocked: of
 * those that its call has sent or let in, or that came from elsewhere. */
void signals_handle(void);
void signals_interrupt(void);

/* Whether a signal that is sent to the thread (NO_THREAD: to the process) acts at once: a thread
 * does not block it, and none waits for it. */
bool signal_is_taken(thread_id thread, int number);
bool signal_would_end(int number); /* the program, if some thread does not block it */
bool signal_has_handler(int number);
bool signal_is_ignored(int number);

/* Sending. To the process (NO_THREAD) it goes to the thread that the step's choice says. */
void signal_post(thread_id thread, const siginfo_t *info);

/* The kernel sent one to the calling thread, by a fault or a broken pipe. */
void signal_here(const siginfo_t *info, void *context);

bool signal_take(uint64_t set, siginfo_t *info); /* a pending one, by waiting for it */
void signals_drop(int number);                   /* it is ignored from now on: pending no more */
void signals_block(uint64_t blocked);            /* and handles what is not blocked any more */
uint32_t signals_object(thread_id thread);       /* NO_THREAD: those of the process */

#endif
