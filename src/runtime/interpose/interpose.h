/* The models behind the table of interposed functions; see interpose.def. */
#ifndef RUNTIME_INTERPOSE_INTERPOSE_H
#define RUNTIME_INTERPOSE_INTERPOSE_H

#include "runtime/file/listing.h"
#include "runtime/heap/heap.h"
#include "runtime/process/process.h"
#include "runtime/progress/await.h"
#include "runtime/sync/model.h"
#include "runtime/time/timeout.h"

void interpose_find(void);  /* looks up libc's functions */
void interpose_child(void); /* in a child process: who it is stays as the program was told */
void streams_find(void);    /* … those of streams.def, … */
void formats_find(void);    /* … of format.c, … */
void texts_find(void);      /* … of texts.c, … */
void keys_find(void);       /* … of keys.c, … */
void reals_find(void);      /* … of reals.c, … */
void scans_find(void);      /* … of scan.c */

/* texts.c: strtok, which is that function, and iconv */
void token_taken(char *text, const char *ends, void *function, uintptr_t site);
size_t text_converted(size_t (*convert)(void *, char **, size_t *, char **, size_t *), void *how,
                      char **in, size_t *in_left, char **out, size_t *out_left, uintptr_t site);

/* sync/thread.c */
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
void key_made(pthread_key_t key, void (*destroy)(void *));
void key_gone(pthread_key_t key, uintptr_t site);
void key_check(pthread_key_t key, uintptr_t site); /* it is used; was it deleted? */
void *key_value(pthread_key_t key);                /* keys.c: as libc knows it */
int key_set_value(pthread_key_t key, const void *value);

thread_id thread_new(const char *call, uintptr_t site); /* the next number */
/* Starts a thread for a timer, whose expiry is the current step, on the stack of `host`. */
void thread_spawn(struct thread *host, void *(*start)(void *), void *argument, uintptr_t site);
thread_id thread_of(pthread_t handle); /* NO_THREAD: it is none of this execution */
/* Whether the thread's handle means nothing any more, which is a misuse if `done` is given ("is
 * …"). A step finds it out when it is carried out: a join may come first. */
bool thread_is_gone(thread_id thread, const char *done, uintptr_t site);

/* sync/cancel.c */
int cancel_request(pthread_t handle, uintptr_t site);
void cancel_test(uintptr_t site);
void cancel_point(void); /* a call that is no step: acts on a request that came before */
int cancel_state(int state, int *old, uintptr_t site);
int cancel_type(int type, int *old, uintptr_t site);

/* time/disposition.c, kill.c, sigwait.c: signals */
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
int sigmask_old(int how, const void *set, void *old, uintptr_t site);    /* … in errno */
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

/* time/timer.c */
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

/* process/placement.c */
int placement_set_name(pthread_t handle, const char *name);
bool placement_has_name(pthread_t handle);
int placement_get_name(pthread_t handle, char *name, size_t size);
int placement_set_processors(pthread_t handle, size_t size, const cpu_set_t *set,
                             int (*get)(pthread_t, size_t, cpu_set_t *));
int placement_get_processors(pthread_t handle, size_t size, cpu_set_t *set,
                             int (*get)(pthread_t, size_t, cpu_set_t *));

int placement_get_affinity(int id, size_t size, cpu_set_t *set,
                           int (*get)(int, size_t, cpu_set_t *));
int placement_set_affinity(int id, size_t size, const cpu_set_t *set,
                           int (*get)(int, size_t, cpu_set_t *));
int placement_nice(int change);
int placement_get_priority(int which, int who, int (*real)(int, unsigned));
int placement_set_priority(int which, int who, int value, int (*real)(int, unsigned, int),
                           uintptr_t site);

/* sync/mutex.c */
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

/* sync/cond.c */
int cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes, uintptr_t site);
int cond_destroy(pthread_cond_t *cond, uintptr_t site);
int cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, uintptr_t site);
int cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, struct timeout timeout,
                   uintptr_t site);
clockid_t cond_clock(const pthread_cond_t *cond);
int cond_signal(pthread_cond_t *cond, uintptr_t site);
int cond_broadcast(pthread_cond_t *cond, uintptr_t site);

/* sync/rwlock.c */
int rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes, uintptr_t site);
int rwlock_destroy(pthread_rwlock_t *lock, uintptr_t site);
int rwlock_read(pthread_rwlock_t *lock, uintptr_t site);
int rwlock_tryread(pthread_rwlock_t *lock, const struct local *local);
int rwlock_timedread(pthread_rwlock_t *lock, struct timeout timeout, uintptr_t site);
int rwlock_write(pthread_rwlock_t *lock, uintptr_t site);
int rwlock_trywrite(pthread_rwlock_t *lock, const struct local *local);
int rwlock_timedwrite(pthread_rwlock_t *lock, struct timeout timeout, uintptr_t site);
int rwlock_unlock(pthread_rwlock_t *lock, uintptr_t site);

/* sync/spin.c */
int spin_init(pthread_spinlock_t *lock, uintptr_t site);
int spin_destroy(pthread_spinlock_t *lock, uintptr_t site);
int spin_lock(pthread_spinlock_t *lock, uintptr_t site);
int spin_trylock(pthread_spinlock_t *lock, const struct local *local);
int spin_unlock(pthread_spinlock_t *lock, uintptr_t site);

/* sync/barrier.c */
int barrier_init(pthread_barrier_t *barrier, unsigned count, uintptr_t site);
int barrier_destroy(pthread_barrier_t *barrier, uintptr_t site);
int barrier_wait(pthread_barrier_t *barrier, uintptr_t site);

/* sync/semaphore.c */
void semaphore_begun(void *semaphore); /* by libc, while nothing was under control */
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

/* sync/c11.c */
int c11_result(int error); /* as thrd_success, thrd_busy, … */
int c11_create(pthread_t *handle, int (*start)(void *), void *argument);
int c11_join(pthread_t handle, int *result, uintptr_t site);
_Noreturn void c11_exit(int result);
int c11_sleep(const struct timespec *time, struct timespec *left, uintptr_t site);
int c11_mutex_init(pthread_mutex_t *mutex, int type, uintptr_t site);

/* sync/once.c */
int once_run(pthread_once_t *control, void (*initialise)(void), uintptr_t site);
int guard_acquire(uint8_t *guard, uintptr_t site);
void guard_release(uint8_t *guard, uintptr_t site);
void guard_abort(uint8_t *guard, uintptr_t site);

/* process/end.c */
void end_after_handlers(int status, void *unused);
int end_register(void); /* an exit handler is added; 0 */
_Noreturn void end_exit(int status, uintptr_t site);
_Noreturn void end_exit_now(int status, uintptr_t site);
_Noreturn void end_assert(const char *condition, const char *file, unsigned line,
                          const char *function, uintptr_t site);
_Noreturn void end_abort(uintptr_t site);
_Noreturn void end_not_rethrown(uintptr_t site);
_Noreturn void end_failed(void); /* a finding was added */
int yield_step(uintptr_t site);
int sleep_step(uint64_t end, uintptr_t site); /* EINTR: a signal handler ended it */

/* time/time.c */
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

/* interpose/syscall_files.c: true if it is such a call; the result, and errno, of the function */
bool syscall_on_file(long number, const long *arguments, const struct local *local, long *result);

/* file/file.c */
struct file;
struct file *file_of(int descriptor); /* NULL: not one of ours */
bool file_is_gone(int descriptor);    /* it was one of ours and is closed: a call on it is a step */
/* That step, unless the call takes it itself; false: the descriptor is still closed. */
bool file_is_back(int descriptor, const char *call, const struct local *local);
bool files_are_open(void);      /* any of them */
bool files_are_inherited(void); /* … by a program that a child executes */
int file_fails(int error);      /* sets errno; -1 */
_Noreturn void file_refuse(int descriptor, const char *call, uintptr_t site);
struct iovec;
long file_splice(int from, long *from_offset, int to, long *to_offset, size_t size, unsigned flags,
                 const struct local *local);
long file_tee(int from, int to, size_t size, unsigned flags, const struct local *local);
long file_splice_memory(int descriptor, const struct iovec *parts, size_t count, unsigned flags,
                        const struct local *local);
long file_send(int to, int from, long *offset, size_t size,
               const struct local *local); /* sendfile */
int file_close(int descriptor, uintptr_t site);
void file_refuse_own_table(int flags,
                           uintptr_t site); /* close_range for the calling thread alone */
int file_close_range(unsigned first, unsigned last, uintptr_t site);
int file_dup(int descriptor, int lowest, bool close_on_exec, uintptr_t site);
int file_dup_to(int from, int to, int flags, const char *call, uintptr_t site);
/* /proc/self/fd/N, where N is one of ours, is refused. */
void file_check_path(const char *path, uintptr_t site);
void *file_as_stream(int descriptor, const char *mode); /* a FILE; NULL and errno */
int file_control(int descriptor, int command, long argument, const struct local *local);

/* file/file_lock.c: flock, F_SETLKW and F_OFD_SETLKW, lockf with F_LOCK */
int file_lock(int descriptor, int operation, uintptr_t site);
bool file_lock_waits(int command); /* of fcntl */
int file_lock_part(int descriptor, int command, long lock, uintptr_t site);
int file_lock_from_here(int descriptor, long size, uintptr_t site);

/* file/transfer_calls.c */
struct iovec;
struct msghdr;
struct stat;
long file_read(int descriptor, void *bytes, size_t size, const struct local *local);
/* The same for libc's function of a stream, which holds the stream's lock. */
long file_read_for_stream(int descriptor, void *bytes, size_t size, const struct local *local);
long file_write(int descriptor, const void *bytes, size_t size, const struct local *local);
long file_read_parts(int descriptor, const struct iovec *parts, int count,
                     const struct local *local);
long file_write_parts(int descriptor, const struct iovec *parts, int count,
                      const struct local *local);
/* At an offset, which only -1 is: where the file is. */
long file_read_parts_at(int descriptor, const struct iovec *parts, int count, long offset,
                        int flags, const struct local *local);
long file_write_parts_at(int descriptor, const struct iovec *parts, int count, long offset,
                         int flags, const struct local *local);
long socket_send(int descriptor, const void *bytes, size_t size, int flags, const void *address,
                 unsigned address_size, const struct local *local);
long socket_send_message(int descriptor, const struct msghdr *message, int flags,
                         const struct local *local);
long socket_receive(int descriptor, void *bytes, size_t size, int flags, void *address,
                    unsigned *address_size, const struct local *local);
long socket_receive_message(int descriptor, struct msghdr *message, int flags,
                            const struct local *local);
struct mmsghdr;
int socket_send_messages(int descriptor, struct mmsghdr *messages, unsigned count, int flags,
                         const struct local *local);
int socket_receive_messages(int descriptor, struct mmsghdr *messages, unsigned count, int flags,
                            const struct timespec *time, const struct local *local);
const struct iovec *message_parts(const struct msghdr *message);
int message_count(const struct msghdr *message); /* of them */
/* The kernel's own sockets: so many messages, as it says afterwards. */
int messages_sent(const struct mmsghdr *messages, int count, uintptr_t site);
int messages_received(const struct mmsghdr *messages, int count, uintptr_t site);
int file_ioctl(int descriptor, unsigned long command, void *argument, const struct local *local);
int file_status(int descriptor, struct stat *status, uintptr_t site);

/* file/fifo.c: false, if the path is not that of a pipe */
bool fifo_open(int folder, const char *path, int flags, int *made, const struct local *local);
bool fifo_open_stream(const char *path, const char *mode, void **made, const struct local *local);
void fifo_refuse(const char *path, const char *call, uintptr_t site);    /* if it is one */
int fifo_made(int folder, const char *path, int result, uintptr_t site); /* by mkfifo */
void fifo_unlink(int folder, const char *path);

/* file/pipe.c, eventfd.c, timerfd.c */
struct itimerspec;
int pipe_open(int ends[2], int flags, uintptr_t site);
int eventfd_open(unsigned start, int flags, uintptr_t site);
int timerfd_open(int clock, int flags, uintptr_t site);
void exception_is_left(void);                /* a handler ends */
void exception_let_go(void *const *pointer); /* so does a std::exception_ptr */
int signalfd_set(int descriptor, const void *mask, int flags, const struct local *local);
int timerfd_set(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old,
                const struct local *local);
int timerfd_get(int descriptor, struct itimerspec *now, const struct local *local);

struct mq_attr;
int queue_open(const char *name, int flags, const struct mq_attr *attributes, uintptr_t site);
int queue_end_close(int descriptor, uintptr_t site);
int queue_unlink(const char *name, uintptr_t site);
int queue_send(int descriptor, const char *bytes, size_t size, unsigned priority,
               const struct timespec *deadline, const struct local *local);
long queue_receive(int descriptor, char *bytes, size_t size, unsigned *priority,
                   const struct timespec *deadline, const struct local *local);
/* Changes those that can be changed, unless `new` is NULL. */
int queue_attributes(int descriptor, const struct mq_attr *new, struct mq_attr *old,
                     const struct local *local);

/* file/socket_calls.c, socket_options.c, address.c */
int socket_open(int domain, int type, int protocol, uintptr_t site);
int socket_open_pair(int domain, int type, int protocol, int ends[2], uintptr_t site);
int socket_bind(int descriptor, const void *address, unsigned size, const struct local *local);
int socket_listen(int descriptor, int backlog, const struct local *local);
int socket_connect(int descriptor, const void *address, unsigned size, const struct local *local);
int socket_accept(int descriptor, void *address, unsigned *size, int flags,
                  const struct local *local);
int socket_shutdown(int descriptor, int how, const struct local *local);
int socket_own_address(int descriptor, void *address, unsigned *size, uintptr_t site);
int socket_peer_address(int descriptor, void *address, unsigned *size, uintptr_t site);
int socket_set_option(int descriptor, int level, int name, const void *value, unsigned size,
                      uintptr_t site);
int socket_get_option(int descriptor, int level, int name, void *value, unsigned *size,
                      const struct local *local);
bool socket_unlink(const char *path, uintptr_t site); /* false: the path is no socket of ours */

/* file/epoll.c, poll.c */
struct epoll_event;
struct pollfd;
struct file_wait;
int epoll_open(int flags, uintptr_t site);
int epoll_open_sized(int size, uintptr_t site);
int epoll_change(int descriptor, int command, int member, const struct epoll_event *event,
                 const struct local *local);
int epoll_await(int descriptor, struct epoll_event *events, int most, const struct timespec *time,
                const struct local *local);
int epoll_await_milliseconds(int descriptor, struct epoll_event *events, int most, int milliseconds,
                             const struct local *local);
int poll_files(const char *call, struct pollfd *files, unsigned long count,
               const struct timespec *time, const struct local *local);
int poll_files_milliseconds(struct pollfd *files, unsigned long count, int milliseconds,
                            const struct local *local);
int select_files(const char *call, int count, void *const sets[3], const struct timespec *time,
                 const struct local *local);
int select_files_until(int count, void *const sets[3], void *timeout, const struct local *local);
void poll_note_result(void *to, size_t size, bool same, uintptr_t site); /* writes the answer */
void poll_saw_nothing_new(struct file_wait *wait, bool found); /* the step has changed nothing */

/* process/end.c, for what ends in its own way */
void end_begin(uintptr_t site); /* the step */
_Noreturn void end_finish(int status);

/* process/identity.c */
int identity_process(void);
int identity_parent(void);
int identity_me(void);                    /* of the calling thread */
int identity_of_thread(pthread_t thread); /* -1: no such thread */
thread_id identity_thread(int id);        /* NO_THREAD: nobody's */
bool identity_is_ours(int process);       /* a number that kill() takes for this process */
int identity_child(void);                 /* in a child process: its own number */
int identity_group(int process, int group, uintptr_t site);  /* setpgid */
int identity_session(void);                                  /* setsid */
int identity_child_signalled(int process, int number);       /* kill() there */
int identity_processor(unsigned *processor, unsigned *node); /* they run on the first; 0 */
bool identity_is_known(int id);
int identity_asked(int id); /* the kernel's number, where 0 is the caller */

/* process/chance.c */
long chance_fill(void *bytes, size_t size, unsigned flags, uintptr_t site);
int chance_fill_little(void *bytes, size_t size, uintptr_t site);
void chance_fill_any(void *bytes, size_t size, uintptr_t site);
uint32_t chance_number(void);
uint32_t chance_below(uint32_t bound);
const char *chance_path(const char *path,
                        uintptr_t site); /* of a file to open in place of this one */

/* interpose/malloc.c */
void *malloc_take(size_t size, size_t alignment, uintptr_t site);
void *malloc_at(size_t size, uintptr_t site);         /* malloc, called there */
void malloc_called(const char *name, uintptr_t site); /* the program calls it for our heap */
void *malloc_again(void *block, size_t size, uintptr_t site);
void malloc_give(void *block, enum heap_way way, uintptr_t site);
void operators_find(void); /* whether the program has its own */
size_t malloc_size(void *block);

/* snapshot/world.c: what reset must undo outside of memory */
void world_descriptors(void);                       /* a descriptor is made or closed */
bool world_has_files(void);                         /* … since the program began */
int world_refuse(const char *call, uintptr_t site); /* a descriptor that the runtime needs */
bool world_inherited(int descriptor);               /* it was open when the program began */
bool world_owns(int descriptor); /* it is the runtime's: to the program there is none */
long world_close_range(unsigned first, unsigned last); /* but for those; 0 or -errno */
void world_folder(uintptr_t site);                     /* the program goes to another folder */
void world_creation_mask(void);                        /* … changes what new files may not have */
/* Descriptors of modelled files: the lowest free one, this one, or -errno; it has been closed. */
int world_placeholder(bool close_on_exec, int lowest);
int world_placeholder_at(int descriptor, bool close_on_exec);
void world_placeholder_gone(int descriptor);
bool world_has_descriptor(int descriptor);
uint64_t world_descriptor_limit(void);  /* numbers are below */
int world_path_error(const char *path); /* 0: there is something */
void world_maps(void *start, size_t size);
void *world_shares(int memory, void *start); /* shmat has put it there, or failed */
bool world_unmaps(void *start, size_t size); /* false: it was there before the program began */
void world_unmapped(void *start, size_t size);
void world_writes(void *start, size_t size); /* by a system call */
void world_writes_parts(const struct iovec *parts, int count);
void world_cannot_undo(const char *call, uintptr_t site); /* reset cannot; fork can */
void world_protects(int protection, uintptr_t site);      /* mprotect */

#endif
