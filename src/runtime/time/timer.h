/* Timers that send signals or start threads: alarm, setitimer, timer_create. One that runs stands
 * among the threads, with its expiry as the pending operation. */
#ifndef RUNTIME_TIME_TIMER_H
#define RUNTIME_TIME_TIMER_H

#include "runtime/engine/runtime.h"

uint64_t timer_first(void);               /* when the next one expires */
bool timer_is_first(thread_id thread);    /* no other one expires before it */
bool timer_is_watchdog(thread_id thread); /* its signal would end the program */
uint64_t timers_state(void);              /* a hash; when they expire counts from now on */
void timer_expire(struct thread *host);   /* the current one, on the stack of another thread */

#endif
