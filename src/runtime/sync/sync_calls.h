/* Functions that the program calls for threads and what they wait for: see interpose.def. */
#ifndef RUNTIME_SYNC_SYNC_CALLS_H
#define RUNTIME_SYNC_SYNC_CALLS_H

#include <pthread.h>

#include "runtime/arch/x86_64/local.h"
#include "runtime/engine/runtime.h"
#include "runtime/time/timeout.h"

/* thread.c */
int model_pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                         void *(*start)(void *), void *argument);
_Noreturn void model_pthread_exit(void *result);
void cleanup_push(__pthread_unwind_buf_t *handler);
void cleanup_pop(__pthread_unwind_buf_t *handler);
void cleanup_push_deferred(__pthread_unwind_buf_t *handler, uintptr_t site);
void cleanup_pop_restored(__pthread_unwind_buf_t *handler, uintptr_t site);
_Noreturn void cleanup_next(__pthread_unwind_buf_t *handler); /* this one has run */
int thread_join(pthread_t handle, void **result, uintptr_t site);
int thread_tryjoin(pthread_t handle, void **result, const struct local *local);
int thread_timedjoin(pthread_t handle, void **result, struct timeout timeout, uintptr_t site);
int thread_detach(pthread_t handle, uintptr_t site);
int thread_attributes(pthread_t handle, pthread_attr_t *attributes); /* after libc filled it in */
int model_cxa_thread_atexit(void (*run)(void *), void *object);

thread_id thread_of(pthread_t handle); /* NO_THREAD: it is none of this execution */
/* Whether the thread's handle means nothing any more, which is a misuse if `done` is given ("is
 * …"). A step finds it out when it is carried out: a join may come first. */
bool thread_is_gone(thread_id thread, const char *done, uintptr_t site);

/* cancel.c */
int cancel_request(pthread_t handle, uintptr_t site);
void cancel_test(uintptr_t site);
void cancel_point(void); /* a call that is no step: acts on a request that came before */
int cancel_state(int state, int *old, uintptr_t site);
int cancel_type(int type, int *old, uintptr_t site);

/* mutex.c */
int mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes, uintptr_t site);
int mutex_destroy(pthread_mutex_t *mutex, uintptr_t site);
int mutex_lock(pthread_mutex_t *mutex, uintptr_t site);
int mutex_trylock(pthread_mutex_t *mutex, const struct local *local);
int mutex_timedlock(pthread_mutex_t *mutex, struct timeout timeout, uintptr_t site);
int mutex_unlock(pthread_mutex_t *mutex, uintptr_t site);
/* For a wait on a condition variable: 0, or why it fails. */
int mutex_check_wait(const pthread_mutex_t *mutex, uintptr_t site);
void mutex_note_before(const pthread_mutex_t *mutex); /* for reductions: whether it is free */
uint32_t mutex_let_go(pthread_mutex_t *mutex);
int mutex_take_again(pthread_mutex_t *mutex, uint32_t depth); /* EOWNERDEAD and the like */
int mutex_consistent(pthread_mutex_t *mutex);
int mutex_ceiling(const pthread_mutex_t *mutex, int *ceiling, uintptr_t site);
int mutex_set_ceiling(pthread_mutex_t *mutex, int ceiling, int *old, uintptr_t site);

/* cond.c */
int cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes, uintptr_t site);
int cond_destroy(pthread_cond_t *cond, uintptr_t site);
int cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, uintptr_t site);
int cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, struct timeout timeout,
                   uintptr_t site);
clockid_t cond_clock(const pthread_cond_t *cond);
int cond_signal(pthread_cond_t *cond, uintptr_t site);
int cond_broadcast(pthread_cond_t *cond, uintptr_t site);

/* rwlock.c */
int rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes, uintptr_t site);
int rwlock_destroy(pthread_rwlock_t *lock, uintptr_t site);
int rwlock_read(pthread_rwlock_t *lock, uintptr_t site);
int rwlock_tryread(pthread_rwlock_t *lock, const struct local *local);
int rwlock_timedread(pthread_rwlock_t *lock, struct timeout timeout, uintptr_t site);
int rwlock_write(pthread_rwlock_t *lock, uintptr_t site);
int rwlock_trywrite(pthread_rwlock_t *lock, const struct local *local);
int rwlock_timedwrite(pthread_rwlock_t *lock, struct timeout timeout, uintptr_t site);
int rwlock_unlock(pthread_rwlock_t *lock, uintptr_t site);

/* spin.c */
int spin_init(pthread_spinlock_t *lock, uintptr_t site);
int spin_destroy(pthread_spinlock_t *lock, uintptr_t site);
int spin_lock(pthread_spinlock_t *lock, uintptr_t site);
int spin_trylock(pthread_spinlock_t *lock, const struct local *local);
int spin_unlock(pthread_spinlock_t *lock, uintptr_t site);

/* barrier.c */
int barrier_init(pthread_barrier_t *barrier, unsigned count, uintptr_t site);
int barrier_destroy(pthread_barrier_t *barrier, uintptr_t site);
int barrier_wait(pthread_barrier_t *barrier, uintptr_t site);

/* semaphore.c */
void semaphore_begun(
    void *semaphore); /* libc has initialised it before the runtime controlled the program */
int semaphore_init(void *semaphore, unsigned value, uintptr_t site);
int semaphore_destroy(void *semaphore, uintptr_t site);
int semaphore_wait(void *semaphore, uintptr_t site);
int semaphore_trywait(void *semaphore, const struct local *local);
int semaphore_timedwait(void *semaphore, struct timeout timeout, uintptr_t site);
int semaphore_post(void *semaphore, uintptr_t site);
int semaphore_value(void *semaphore, int *value, const struct local *local);
void *semaphore_open(const char *name, int flags, unsigned value, uintptr_t site);
int semaphore_close(void *semaphore, uintptr_t site);
int semaphore_unlink(const char *name, uintptr_t site);

/* c11.c */
int c11_result(int error); /* as thrd_success, thrd_busy and so on */
int c11_create(pthread_t *handle, int (*start)(void *), void *argument);
int c11_join(pthread_t handle, int *result, uintptr_t site);
_Noreturn void c11_exit(int result);
int c11_sleep(const struct timespec *time, struct timespec *left, uintptr_t site);
int c11_mutex_init(pthread_mutex_t *mutex, int type, uintptr_t site);

/* once.c */
int once_run(pthread_once_t *control, void (*initialise)(void), uintptr_t site);
int guard_acquire(uint8_t *guard, uintptr_t site);
void guard_release(uint8_t *guard, uintptr_t site);
void guard_abort(uint8_t *guard, uintptr_t site);

/* giving way */
int yield_step(uintptr_t site);

/* exception.c */
void exception_is_left(void);                /* a handler ends */
void exception_let_go(void *const *pointer); /* so does a std::exception_ptr */

/* The body of every thread but the first, and what is done when it ends: destructors of
 * thread_local objects and of keys */
void thread_run(void);
void thread_finish(void);

/* For reductions: how an object is before a step */
uint32_t once_state(const void *control); /* never entered, a thread is inside, or over: the first
                                             to enter writes it */
uint32_t rwlock_state(const void *lock);

#endif
