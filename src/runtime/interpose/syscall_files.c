/* syscall() with a number that is about files: what the function of the same name does. */
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>

#include "runtime/engine/upper.h"
#include "runtime/file/file_calls.h"
#include "runtime/interpose/interpose.h"

static bool makes_file(long number, const long *a, uintptr_t site, long *result)
{
    switch (number) {
    case SYS_pipe:
        *result = pipe_open((int *)a[0], 0, site);
        break;
    case SYS_pipe2:
        *result = pipe_open((int *)a[0], (int)a[1], site);
        break;
    case SYS_eventfd:
        *result = eventfd_open((unsigned)a[0], 0, site);
        break;
    case SYS_eventfd2:
        *result = eventfd_open((unsigned)a[0], (int)a[1], site);
        break;
    case SYS_timerfd_create:
        *result = timerfd_open((int)a[0], (int)a[1], site);
        break;
    case SYS_epoll_create:
        *result = epoll_open_sized((int)a[0], site);
        break;
    case SYS_epoll_create1:
        *result = epoll_open((int)a[0], site);
        break;
    case SYS_socket:
        *result = socket_open((int)a[0], (int)a[1], (int)a[2], site);
        break;
    case SYS_socketpair:
        *result = socket_open_pair((int)a[0], (int)a[1], (int)a[2], (int *)a[3], site);
        break;
    default:
        return false;
    }
    return true;
}

/* With another mask for as long as it waits; NULL: the same. */
static const void *mask_of(long number, const long *a)
{
    switch (number) {
    case SYS_ppoll:
        return (const void *)a[3];
    case SYS_pselect6:
        return a[5] != 0 ? *(const void **)a[5] : NULL;
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
        return (const void *)a[4];
    default:
        return NULL;
    }
}

/* System calls that look after descriptors of all kinds themselves. */
static bool waits(long number, const long *a, const struct local *local, long *result)
{
    void *sets[3] = {(void *)a[1], (void *)a[2], (void *)a[3]};
    bool begun = sigmask_begin(mask_of(number, a), local->site);
    switch (number) {
    case SYS_poll:
        *result = poll_files_milliseconds((void *)a[0], (unsigned long)a[1], (int)a[2], local);
        break;
    case SYS_ppoll:
        *result = poll_files("ppoll", (void *)a[0], (unsigned long)a[1], (void *)a[2], local);
        break;
    case SYS_select:
        *result = select_files_until((int)a[0], sets, (void *)a[4], local);
        break;
    case SYS_pselect6:
        *result = select_files("pselect", (int)a[0], sets, (void *)a[4], local);
        break;
    case SYS_epoll_ctl:
        *result = epoll_change((int)a[0], (int)a[1], (int)a[2], (void *)a[3], local);
        break;
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
        *result = epoll_await_milliseconds((int)a[0], (void *)a[1], (int)a[2], (int)a[3], local);
        break;
    case SYS_epoll_pwait2:
        *result = epoll_await((int)a[0], (void *)a[1], (int)a[2], (void *)a[3], local);
        break;
    case SYS_signalfd:
    case SYS_signalfd4:
        *result = a[2] != sizeof(uint64_t)
                      ? file_fails(EINVAL)
                      : signalfd_set((int)a[0], (void *)a[1],
                                     number == SYS_signalfd4 ? (int)a[3] : 0, local);
        break;
    case SYS_timerfd_settime:
        *result = timerfd_set((int)a[0], (int)a[1], (void *)a[2], (void *)a[3], local);
        break;
    case SYS_timerfd_gettime:
        *result = timerfd_get((int)a[0], (void *)a[1], local);
        break;
    default:
        return false;
    }
    *result = sigmask_end(begun, (int)*result);
    return true;
}

static bool uses_socket(long number, const long *a, const struct local *local, long *result)
{
    int descriptor = (int)a[0];
    void *bytes = (void *)a[1];
    size_t size = (size_t)a[2];
    switch (number) {
    case SYS_bind:
        *result = socket_bind(descriptor, bytes, (unsigned)size, local);
        break;
    case SYS_connect:
        *result = socket_connect(descriptor, bytes, (unsigned)size, local);
        break;
    case SYS_listen:
        *result = socket_listen(descriptor, (int)a[1], local);
        break;
    case SYS_shutdown:
        *result = socket_shutdown(descriptor, (int)a[1], local);
        break;
    case SYS_accept:
        *result = socket_accept(descriptor, bytes, (void *)a[2], 0, local);
        break;
    case SYS_accept4:
        *result = socket_accept(descriptor, bytes, (void *)a[2], (int)a[3], local);
        break;
    case SYS_getsockname:
        *result = socket_own_address(descriptor, bytes, (void *)a[2], local->site);
        break;
    case SYS_getpeername:
        *result = socket_peer_address(descriptor, bytes, (void *)a[2], local->site);
        break;
    case SYS_setsockopt:
        *result = socket_set_option(descriptor, (int)a[1], (int)a[2], (void *)a[3], (unsigned)a[4],
                                    local->site);
        break;
    case SYS_getsockopt:
        *result =
            socket_get_option(descriptor, (int)a[1], (int)a[2], (void *)a[3], (void *)a[4], local);
        break;
    case SYS_sendto:
        *result =
            socket_send(descriptor, bytes, size, (int)a[3], (void *)a[4], (unsigned)a[5], local);
        break;
    case SYS_sendmsg:
        *result = socket_send_message(descriptor, bytes, (int)a[2], local);
        break;
    case SYS_sendmmsg:
        *result = socket_send_messages(descriptor, bytes, (unsigned)a[2], (int)a[3], local);
        break;
    case SYS_recvfrom:
        *result =
            socket_receive(descriptor, bytes, size, (int)a[3], (void *)a[4], (void *)a[5], local);
        break;
    case SYS_recvmsg:
        *result = socket_receive_message(descriptor, bytes, (int)a[2], local);
        break;
    case SYS_recvmmsg:
        *result = socket_receive_messages(descriptor, bytes, (unsigned)a[2], (int)a[3],
                                          (void *)a[4], local);
        break;
    default:
        file_refuse(descriptor, "syscall", local->site);
    }
    return true;
}

static bool uses_file(long number, const long *a, const struct local *local, long *result)
{
    int descriptor = (int)a[0];
    switch (number) {
    case SYS_read:
        *result = file_read(descriptor, (void *)a[1], (size_t)a[2], local);
        break;
    case SYS_write:
        *result = file_write(descriptor, (void *)a[1], (size_t)a[2], local);
        break;
    case SYS_readv:
        *result = file_read_parts(descriptor, (void *)a[1], (int)a[2], local);
        break;
    case SYS_writev:
        *result = file_write_parts(descriptor, (void *)a[1], (int)a[2], local);
        break;
    case SYS_close:
        *result = file_close(descriptor, local->site);
        break;
    case SYS_dup:
        *result = file_dup(descriptor, 0, false, local->site);
        break;
    case SYS_dup2:
        *result = file_dup_to(descriptor, (int)a[1], 0, "dup2", local->site);
        break;
    case SYS_dup3:
        *result = file_dup_to(descriptor, (int)a[1], (int)a[2], "dup3", local->site);
        break;
    case SYS_fcntl:
        *result = file_control(descriptor, (int)a[1], a[2], local);
        break;
    case SYS_ioctl:
        *result = file_ioctl(descriptor, (unsigned long)a[1], (void *)a[2], local);
        break;
    case SYS_fstat:
        *result = file_status(descriptor, (void *)a[1], local->site);
        break;
    case SYS_lseek:
        *result = file_fails(ESPIPE);
        break;
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_preadv:
    case SYS_pwritev:
        *result = file_fails(a[3] < 0 ? EINVAL : ESPIPE);
        break;
    case SYS_preadv2:
        *result = file_read_parts_at(descriptor, (void *)a[1], (int)a[2], a[3], (int)a[5], local);
        break;
    case SYS_pwritev2:
        *result = file_write_parts_at(descriptor, (void *)a[1], (int)a[2], a[3], (int)a[5], local);
        break;
    default:
        return uses_socket(number, a, local, result);
    }
    return true;
}

/* The first argument of these is a descriptor. */
static bool has_descriptor(long number)
{
    switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_readv:
    case SYS_writev:
    case SYS_close:
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
    case SYS_fcntl:
    case SYS_ioctl:
    case SYS_accept:
    case SYS_accept4:
    case SYS_bind:
    case SYS_connect:
    case SYS_listen:
    case SYS_shutdown:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_getsockname:
    case SYS_getpeername:
    case SYS_getsockopt:
    case SYS_setsockopt:
    case SYS_fstat:
    case SYS_lseek:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_preadv:
    case SYS_pwritev:
    case SYS_preadv2:
    case SYS_pwritev2:
    case SYS_flock:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_ftruncate:
    case SYS_vmsplice:
        return true;
    default:
        return false;
    }
}

/* Between two descriptors, of which one may be ours. */
static bool between_two(long number, const long *a, const struct local *local, long *result)
{
    switch (number) {
    case SYS_sendfile:
        if (file_of((int)a[0]) == NULL && file_of((int)a[1]) == NULL)
            return false;
        *result = file_send((int)a[0], (int)a[1], (void *)a[2], (size_t)a[3], local);
        return true;
    case SYS_copy_file_range:
        *result = file_fails(EINVAL);
        return file_of((int)a[0]) != NULL || file_of((int)a[2]) != NULL;
    case SYS_tee:
        if (file_of((int)a[0]) == NULL && file_of((int)a[1]) == NULL)
            return false;
        *result = file_tee((int)a[0], (int)a[1], (size_t)a[2], (unsigned)a[3], local);
        return true;
    case SYS_splice:
        if (file_of((int)a[0]) == NULL && file_of((int)a[2]) == NULL)
            return false;
        *result = file_splice((int)a[0], (long *)a[1], (int)a[2], (long *)a[3], (size_t)a[4],
                              (unsigned)a[5], local);
        return true;
    default:
        return false;
    }
}

/* On the kernel's files: what could stop all threads. */
static bool on_kernel_file(long number, const long *a, const struct local *local, long *result)
{
    int made;
    switch (number) {
    case SYS_flock:
        *result = file_lock((int)a[0], (int)a[1], local->site);
        break;
    case SYS_fcntl:
        if (!file_lock_waits((int)a[1]))
            return false;
        *result = file_lock_part((int)a[0], (int)a[1], a[2], local->site);
        break;
    case SYS_open:
        if (!fifo_open(AT_FDCWD, (void *)a[0], (int)a[1], &made, local))
            return false;
        *result = made;
        break;
    case SYS_openat:
        if (!fifo_open((int)a[0], (void *)a[1], (int)a[2], &made, local))
            return false;
        *result = made;
        break;
    default:
        return false;
    }
    return true;
}

/* Descriptors that the runtime needs are not the program's to close. */
static bool closes(long number, const long *a, const struct local *local, long *result)
{
    switch (number) {
    case SYS_close:
        if (!world_owns((int)a[0]))
            return false;
        *result = file_fails(EBADF);
        return true;
    case SYS_close_range:
        file_refuse_own_table((int)a[2], local->site);
        if (a[2] != 0)
            return false;
        *result = file_close_range((unsigned)a[0], (unsigned)a[1], local->site);
        return true;
    case SYS_dup2:
    case SYS_dup3:
        if (world_owns((int)a[1]))
            world_refuse(number == SYS_dup2 ? "dup2" : "dup3", local->site);
        return file_of((int)a[0]) == NULL && file_of((int)a[1]) != NULL &&
               uses_file(number, a, local, result);
    default:
        return false;
    }
}

bool syscall_on_file(long number, const long *a, const struct local *local, long *result)
{
    if (makes_file(number, a, local->site, result) || waits(number, a, local, result) ||
        closes(number, a, local, result) || between_two(number, a, local, result))
        return true;
    if (has_descriptor(number) && file_of((int)a[0]) != NULL)
        return uses_file(number, a, local, result);
    return on_kernel_file(number, a, local, result);
}
