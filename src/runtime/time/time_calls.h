/* Functions that the program calls for signals, timers and the time: see interpose.def. */
#ifndef RUNTIME_TIME_TIME_CALLS_H
#define RUNTIME_TIME_TIME_CALLS_H

#include <pthread.h>
#include <time.h>

#include "runtime/arch/x86_64/local.h"
#include "runtime/engine/runtime.h"

/* disposition.c, kill.c, sigwait.c: signals */
int signal_action(int number, const void *action, void *old, uintptr_t site);
void *signal_bsd(int number, void *handler, uintptr_t site); /* signal() */
void *signal_sysv(int number, void *handler, uintptr_t site);
int signal_ignore(int number, uintptr_t site);
int signal_interrupt(int number, int interrupts, uintptr_t site);
void signals_jump(const void *buffer); /* longjmp: handlers may be left by it */
int kill_thread(pthread_t handle, int number, uintptr_t site);
int kill_thread_queued(pthread_t handle, int number, void *value, uintptr_t site);
int kill_raise(int number, uintptr_t site);
int kill_by_id(int process, int thread, int number, uintptr_t site);
int kill_process(const char *call, int process, int number, uintptr_t site);
int kill_group(int group, int number, uintptr_t site);
int kill_queued(int process, int number, void *value, uintptr_t site);
int sigmask_change(int how, const void *set, void *old, uintptr_t site); /* an error number */
int sigmask_old(int how, const void *set, void *old, uintptr_t site);    /* the error in errno */
int sigmask_one(int number, bool blocks, uintptr_t site);
/* ppoll and the like: another mask for as long as they wait. */
bool sigmask_begin(const void *set, uintptr_t site); /* false: nothing changes */
bool sigmask_strikes(void); /* it lets in a signal that is pending: do not wait */
int sigmask_end(bool begun, int result);
int signals_pending(void *set, const struct local *local);
int signal_pause(uintptr_t site);
int signal_suspend(const void *set, uintptr_t site);
int signal_wait(const void *set, int *number, uintptr_t site);
int signal_timedwait(const void *set, void *out, const struct timespec *time, uintptr_t site);
int signal_stack(const void *stack, void *old, uintptr_t site);

/* timer.c */
unsigned timer_alarm(unsigned seconds, uintptr_t site);
unsigned timer_alarm_micro(unsigned first, unsigned interval, uintptr_t site);
int timer_get_interval(int which, void *out, uintptr_t site);
int timer_set_interval(int which, const void *in, void *old, uintptr_t site);
int timer_make(clockid_t clock, const struct sigevent *wanted, timer_t *handle, uintptr_t site);
int timer_set(timer_t handle, int flags, const struct itimerspec *value, struct itimerspec *old,
              uintptr_t site);
int timer_get(timer_t handle, struct itimerspec *out, uintptr_t site);
int timer_overrun(timer_t handle);
int timer_remove(timer_t handle, uintptr_t site);

/* sleeping */
int sleep_step(uint64_t end, uintptr_t site); /* EINTR: a signal handler ended it */

/* time.c */
int time_of_clock(clockid_t clock, struct timespec *time, uintptr_t site);
int time_resolution(clockid_t clock, struct timespec *time, uintptr_t site);
int time_of_day(void *time, void *zone, uintptr_t site);
time_t time_seconds(time_t *time, uintptr_t site);
int time_old(void *time, uintptr_t site);
int time_of_base(struct timespec *time, int base, uintptr_t site);
int time_resolution_of_base(struct timespec *time, int base, uintptr_t site);
clock_t time_worked(void);
long time_in_ticks(void *times, uintptr_t site);
int time_usage(int who, void *usage, uintptr_t site);
int time_clock_of_thread(pthread_t thread, clockid_t *clock, uintptr_t site);
int time_clock_of_process(int process, clockid_t *clock, uintptr_t site);
unsigned sleep_seconds(unsigned seconds, uintptr_t site);
int sleep_microseconds(unsigned microseconds, uintptr_t site);
int sleep_nanoseconds(const struct timespec *time, struct timespec *left, uintptr_t site);
int sleep_on_clock(clockid_t clock, int flags, const struct timespec *time, struct timespec *left,
                   uintptr_t site);

#endif
