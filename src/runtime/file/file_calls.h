/* Functions that the program calls for files: see files.def. */
#ifndef RUNTIME_FILE_FILE_CALLS_H
#define RUNTIME_FILE_FILE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "runtime/arch/x86_64/local.h"

/* file.c */
struct file;
bool file_is_gone(int descriptor); /* it was one of ours and is closed: a call on it is a step */
/* Takes the step of waiting for the descriptor, unless the call takes it itself; false: it is still
 * closed. */
bool file_is_back(int descriptor, const char *call, const struct local *local);
bool files_are_open(void);      /* any of them */
bool files_are_inherited(void); /* files are open that a program executed by a child inherits */
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

/* file_lock.c: flock, F_SETLKW and F_OFD_SETLKW, lockf with F_LOCK */
int file_lock(int descriptor, int operation, uintptr_t site);
bool file_lock_waits(int command); /* of fcntl */
int file_lock_part(int descriptor, int command, long lock, uintptr_t site);
int file_lock_from_here(int descriptor, long size, uintptr_t site);

/* transfer_calls.c */
struct iovec;
struct msghdr;
struct stat;
long file_read(int descriptor, void *bytes, size_t size, const struct local *local);
/* file_read for libc's function of a stream, which holds the stream's lock. */
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

/* fifo.c: false, if the path is not that of a pipe */
bool fifo_open(int folder, const char *path, int flags, int *made, const struct local *local);
bool fifo_open_stream(const char *path, const char *mode, void **made, const struct local *local);
void fifo_refuse(const char *path, const char *call, uintptr_t site);    /* if it is one */
int fifo_made(int folder, const char *path, int result, uintptr_t site); /* by mkfifo */
void fifo_unlink(int folder, const char *path);

/* pipe.c, eventfd.c, timerfd.c */
struct itimerspec;
int pipe_open(int ends[2], int flags, uintptr_t site);
int eventfd_open(unsigned start, int flags, uintptr_t site);
int timerfd_open(int clock, int flags, uintptr_t site);
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

/* socket_calls.c, socket_options.c, address.c */
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

/* epoll.c, poll.c */
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
void poll_saw_nothing_new(
    struct file_wait *wait,
    bool found); /* after a step that changed nothing: a loop of such steps may wait */

#endif
