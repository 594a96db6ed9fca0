/* What the modelled functions mean. Each model_<name> is called in place of <name> while the
 * program runs under our scheduler; where it is a step, the operation has been announced before. */
#ifndef RUNTIME_SYNC_MODEL_H
#define RUNTIME_SYNC_MODEL_H

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "runtime/engine/runtime.h"

/* Questions of the scheduler. */
bool mutex_can_lock(const void *mutex, thread_id thread);
bool rwlock_can_read(const void *lock, thread_id thread);
bool rwlock_can_write(const void *lock, thread_id thread);
bool spin_can_lock(const void *lock);
bool semaphore_can_wait(const void *semaphore);
bool once_can_enter(const void *control);
/* Whether it was never entered, a thread is inside, or it is over: the first to enter writes it. */
uint32_t once_state(const void *control);
bool stream_can_lock(const void *stream, thread_id thread);
thread_id stream_owner(const void *stream); /* NO_THREAD: it is free */
bool file_can_go(const void *wait, thread_id thread);
bool file_is_waiting(const void *wait); /* or would time out if it were carried out now */
uint16_t
file_close_choices(thread_id closing); /* who waits for that file, and stays or comes late */
uint16_t file_change_choices(thread_id changing); /* the same where O_NONBLOCK is set */
uint16_t cond_choices(const void *cond);          /* waiters that a signal could wake, at least 1 */
uint16_t cond_wait_choices(void);         /* whether a wait may wake up spuriously: 2, or 1 */
uint16_t futex_choices(thread_id waking); /* the same for a futex wake: sets of sleepers */
uint32_t model_before(thread_id pending); /* how the object of its operation is: see struct op */
uint32_t rwlock_state(const void *lock);
thread_id model_owner(thread_id waiting); /* who holds what it waits for; NO_THREAD */
uint64_t reading_digest(const struct thread *thread,
                        uint64_t (*word)(uint64_t)); /* of what it has to read */
thread_set
model_readers(thread_id waiting); /* who has the read-write lock that it waits for to read */

/* Births and ends. */
void mutexes_abandon(void);           /* the calling thread ends: its robust mutexes are free */
_Noreturn void end_last_thread(void); /* nobody is left */
void thread_finish(void);             /* destructors of thread_local objects and of keys */
void thread_run(void);                /* the body of every thread but the first */
void thread_wait_go(struct thread *thread);
int program_main(int argc, char **argv, char **environment); /* in place of main */

#endif
