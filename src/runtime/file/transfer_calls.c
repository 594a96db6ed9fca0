/* read, write, send, recv and their kin, on modelled files. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/socket.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/time/timeout.h"

enum {
    SEND_FLAGS = MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE | MSG_EOR | MSG_DONTROUTE | MSG_CONFIRM,
    RECEIVE_FLAGS =
        MSG_DONTWAIT | MSG_NOSIGNAL | MSG_PEEK | MSG_WAITALL | MSG_TRUNC | MSG_CMSG_CLOEXEC
};

static long with_errno(long result)
{
    return result < 0 ? file_fails((int)-result) : result;
}

/* 0 or an errno. */
static int begin(struct transfer *transfer, const struct iovec *parts, int count, int flags,
                 const struct local *local)
{
    if (count < 0 || count > IOV_MAX)
        return EINVAL;
    *transfer = (struct transfer){
        .parts = parts, .count = (uint32_t)count, .flags = flags, .site = local->site};
    for (int i = 0; i < count; i++) {
        if (parts[i].iov_len > SSIZE_MAX - transfer->size)
            return EINVAL;
        transfer->size += parts[i].iov_len;
    }
    return 0;
}

static int begin_message(struct transfer *transfer, const struct msghdr *message, int flags,
                         const struct local *local)
{
    if (message->msg_iovlen > IOV_MAX)
        return EMSGSIZE;
    return begin(transfer, message->msg_iov, (int)message->msg_iovlen, flags, local);
}

static bool keeps_datagrams(const struct file *file)
{
    return file->kind == &file_socket && socket_from(file)->type != SOCK_STREAM;
}

static bool is_stream(const struct file *file) /* of bytes: a transfer of none does nothing */
{
    return (file->kind == &file_socket && !keeps_datagrams(file)) || pipe_bytes(file) >= 0;
}

static long take(int descriptor, struct transfer *transfer, const struct local *local)
{
    struct file *file = file_of(descriptor);
    if (file == NULL)
        return file_read_step(NULL, descriptor, transfer, FILE_NEVER, local);
    if ((file->flags & O_ACCMODE) == O_WRONLY)
        return -EBADF;
    if (file->kind->read == NULL)
        return -EINVAL;
    if (transfer->size == 0 && is_stream(file))
        return 0;
    uint64_t timeout = file->kind == &file_socket ? socket_from(file)->read_timeout : FILE_NEVER;
    long taken = 0, result;
    do {
        result = file_read_step(file, descriptor, transfer, timeout, local);
        taken += result > 0 ? result : 0;
    } while (result > 0 && transfer->flags & MSG_WAITALL && !keeps_datagrams(file) &&
             file_blocks(file, transfer->flags) && transfer->done < transfer->size);
    return taken > 0 ? taken : result;
}

static long give(int descriptor, struct transfer *transfer, const struct local *local)
{
    struct file *file = file_of(descriptor);
    if (file == NULL)
        return file_write_step(NULL, descriptor, transfer, FILE_NEVER, local);
    if ((file->flags & O_ACCMODE) == O_RDONLY)
        return -EBADF;
    if (file->kind->write == NULL)
        return -EINVAL;
    if (transfer->size == 0 && is_stream(file))
        return 0;
    uint64_t timeout = file->kind == &file_socket ? socket_from(file)->write_timeout : FILE_NEVER;
    return file_write_step(file, descriptor, transfer, timeout, local);
}

long file_read_parts(int descriptor, const struct iovec *parts, int count,
                     const struct local *local)
{
    struct transfer transfer;
    int error = begin(&transfer, parts, count, 0, local);
    return error != 0 ? file_fails(error) : with_errno(take(descriptor, &transfer, local));
}

long file_write_parts(int descriptor, const struct iovec *parts, int count,
                      const struct local *local)
{
    struct transfer transfer;
    int error = begin(&transfer, parts, count, 0, local);
    return error != 0 ? file_fails(error) : with_errno(give(descriptor, &transfer, local));
}

/* Streams have no offset; -1 asks for none, and then there may be flags. */
static int offset_error(int descriptor, long offset, int flags, const char *call, uintptr_t site)
{
    if (offset == -1 && flags != 0)
        file_refuse(descriptor, call, site);
    return offset == -1 ? 0 : offset < 0 ? EINVAL : ESPIPE;
}

long file_read_parts_at(int descriptor, const struct iovec *parts, int count, long offset,
                        int flags, const struct local *local)
{
    int error = offset_error(descriptor, offset, flags, "preadv2", local->site);
    return error != 0 ? file_fails(error) : file_read_parts(descriptor, parts, count, local);
}

long file_write_parts_at(int descriptor, const struct iovec *parts, int count, long offset,
                         int flags, const struct local *local)
{
    int error = offset_error(descriptor, offset, flags, "pwritev2", local->site);
    return error != 0 ? file_fails(error) : file_write_parts(descriptor, parts, count, local);
}

long file_read(int descriptor, void *bytes, size_t size, const struct local *local)
{
    return file_read_parts(descriptor, &(struct iovec){bytes, size}, 1, local);
}

long file_write(int descriptor, const void *bytes, size_t size, const struct local *local)
{
    return file_write_parts(descriptor, &(struct iovec){(void *)bytes, size}, 1, local);
}

long file_read_for_stream(int descriptor, void *bytes, size_t size, const struct local *local)
{
    struct transfer transfer;
    int error = begin(&transfer, &(struct iovec){bytes, size}, 1, 0, local);
    transfer.unseen = true;
    return error != 0 ? file_fails(error) : with_errno(take(descriptor, &transfer, local));
}

static struct socket *socket_of(int descriptor)
{
    struct file *file = file_of(descriptor);
    if (file->kind == &file_socket)
        return socket_from(file);
    file_fails(ENOTSOCK);
    return NULL;
}

static void check_flags(const char *call, int flags, int known, uintptr_t site)
{
    if (flags & MSG_OOB)
        refuse_call(call, "urgent data (MSG_OOB) is not modelled; send it as other data", site);
    if (flags & ~known)
        refuse_call(call, "one of these flags is not modelled; leave it out when testing", site);
}

static long send_parts(const char *call, int descriptor, struct msghdr *message, int flags,
                       const struct local *local)
{
    struct socket *socket = socket_of(descriptor);
    struct transfer transfer;
    if (socket == NULL)
        return -1;
    check_flags(call, flags, SEND_FLAGS, local->site);
    if (message->msg_controllen > 0)
        refuse_call(call,
                    "control messages (SCM_RIGHTS and others) are not modelled; "
                    "threads can use a descriptor without sending it",
                    local->site);
    int error = begin_message(&transfer, message, flags, local);
    if (error == 0 && message->msg_name != NULL && !(socket->type == SOCK_STREAM))
        error = address_read(&transfer.address, socket->domain, message->msg_name,
                             message->msg_namelen, OP_FILE_WRITE, call, local->site);
    else if (error == 0 && message->msg_name != NULL && socket->domain == AF_UNIX)
        error = socket->state == SOCKET_CONNECTED ? EISCONN : EOPNOTSUPP;
    if (error != 0)
        return file_fails(error);
    return with_errno(give(descriptor, &transfer, local));
}

long socket_send(int descriptor, const void *bytes, size_t size, int flags, const void *address,
                 unsigned address_size, const struct local *local)
{
    struct iovec part = {(void *)bytes, size};
    struct msghdr message = {.msg_name = (void *)address,
                             .msg_namelen = address_size,
                             .msg_iov = &part,
                             .msg_iovlen = 1};
    return send_parts(address != NULL ? "sendto" : "send", descriptor, &message, flags, local);
}

const struct iovec *message_parts(const struct msghdr *message)
{
    return message->msg_iov;
}

int message_count(const struct msghdr *message)
{
    return (int)message->msg_iovlen;
}

long socket_send_message(int descriptor, const struct msghdr *message, int flags,
                         const struct local *local)
{
    struct msghdr copy = *message;
    return send_parts("sendmsg", descriptor, &copy, flags, local);
}

static long receive_parts(const char *call, int descriptor, struct msghdr *message, int flags,
                          const struct local *local)
{
    struct socket *socket = socket_of(descriptor);
    struct transfer transfer;
    if (socket == NULL)
        return -1;
    check_flags(call, flags, RECEIVE_FLAGS, local->site);
    int error = begin_message(&transfer, message, flags, local);
    if (error != 0)
        return file_fails(error);
    long result = take(descriptor, &transfer, local);
    if (result < 0)
        return with_errno(result);
    message->msg_flags = transfer.cut ? MSG_TRUNC : 0;
    message->msg_controllen = 0;
    if (message->msg_name != NULL && !socket_connects(socket) &&
        (socket->domain != AF_UNIX || transfer.address.size > 0))
        address_write(&transfer.address, socket->domain, message->msg_name, &message->msg_namelen,
                      local->site);
    else
        message->msg_namelen = 0;
    return flags & MSG_TRUNC && transfer.cut ? (long)transfer.whole : result;
}

long socket_receive(int descriptor, void *bytes, size_t size, int flags, void *address,
                    unsigned *address_size, const struct local *local)
{
    struct iovec part = {bytes, size};
    struct msghdr message = {.msg_name = address_size != NULL ? address : NULL,
                             .msg_namelen = address_size != NULL ? *address_size : 0,
                             .msg_iov = &part,
                             .msg_iovlen = 1};
    long result =
        receive_parts(address != NULL ? "recvfrom" : "recv", descriptor, &message, flags, local);
    if (result >= 0 && address_size != NULL)
        *address_size = message.msg_namelen;
    return result;
}

long socket_receive_message(int descriptor, struct msghdr *message, int flags,
                            const struct local *local)
{
    return receive_parts("recvmsg", descriptor, message, flags, local);
}

/* Each message is sent by itself; what comes before an error has been sent. */
int socket_send_messages(int descriptor, struct mmsghdr *messages, unsigned count, int flags,
                         const struct local *local)
{
    unsigned sent = 0;
    while (sent < count) {
        if (file_of(descriptor) == NULL) /* closed meanwhile */
            return sent > 0 ? (int)sent : file_fails(EBADF);
        long size = socket_send_message(descriptor, &messages[sent].msg_hdr, flags, local);
        if (size < 0)
            return sent > 0 ? (int)sent : -1;
        memory_access(&messages[sent].msg_len, sizeof messages->msg_len, true, local->site);
        messages[sent++].msg_len = (unsigned)size;
    }
    return (int)sent;
}

int socket_receive_messages(int descriptor, struct mmsghdr *messages, unsigned count, int flags,
                            const struct timespec *time, const struct local *local)
{
    unsigned received = 0;
    bool one = flags & MSG_WAITFORONE;
    flags &= ~MSG_WAITFORONE;
    if (time != NULL)
        refuse_call("recvmmsg", "its timeout is not modelled; use SO_RCVTIMEO or poll",
                    local->site);
    while (received < count) {
        if (file_of(descriptor) == NULL)
            return received > 0 ? (int)received : file_fails(EBADF);
        long size = socket_receive_message(descriptor, &messages[received].msg_hdr, flags, local);
        if (size < 0)
            return received > 0 ? (int)received : -1;
        memory_access(&messages[received].msg_len, sizeof messages->msg_len, true, local->site);
        messages[received++].msg_len = (unsigned)size;
        if (one)
            flags |= MSG_DONTWAIT;
    }
    return (int)received;
}

static int bytes_there(const struct file *file)
{
    if (file->kind == &file_socket && socket_from(file)->receive != NULL) {
        const struct channel *receive = socket_from(file)->receive;
        if (!receive->datagrams)
            return (int)receive->bytes;
        return receive->first == NULL ? 0 : (int)receive->first->end;
    }
    return pipe_bytes(file);
}

/* FIONREAD is a look at the file, FIONBIO a change. */
int file_ioctl(int descriptor, unsigned long command, void *argument, const struct local *local)
{
    struct file *file = file_of(descriptor);
    switch (command) {
    case FIONBIO:
        return file_set_blocking(descriptor, *(int *)argument == 0, local);
    case FIOCLEX:
    case FIONCLEX:
        return file_control(descriptor, F_SETFD, command == FIOCLEX, local);
    case FIONREAD:
        break;
    case TCGETS:
        return file_fails(ENOTTY);
    default:
        file_refuse(descriptor, "ioctl", local->site);
    }
    if (bytes_there(file) < 0)
        return file_fails(ENOTTY);
    struct file_wait wait = {.descriptor = descriptor, .deadline = FILE_NEVER, .local = local};
    if (!file_step(&wait, OP_FILE_POLL, file->in))
        return file_fails(wait.error);
    int there = bytes_there(wait.file);
    file_look(wait.file, POLLIN);
    file_step_failed(&wait);
    memory_access(argument, sizeof there, true, local->site);
    *(int *)argument = there;
    return 0;
}

/* The few facts that programs ask for. */
int file_status(int descriptor, struct stat *status, uintptr_t site)
{
    const struct file *file = file_of(descriptor);
    memory_access(status, sizeof *status, true, site);
    memset(status, 0, sizeof *status);
    status->st_mode = 0600;
    if (file->kind == &file_socket)
        status->st_mode = S_IFSOCK | 0777;
    else if (pipe_bytes(file) >= 0)
        status->st_mode = S_IFIFO | 0600;
    status->st_nlink = 1;
    status->st_blksize = CHANNEL_PAGE;
    return 0;
}

int messages_sent(const struct mmsghdr *messages, int count, uintptr_t site)
{
    for (int i = 0; i < count; i++) {
        const struct msghdr *message = &messages[i].msg_hdr;
        called_reads_parts(message_parts(message), message_count(message), site);
        called_writes(&messages[i].msg_len, sizeof messages[i].msg_len, site);
    }
    return count;
}

int messages_received(const struct mmsghdr *messages, int count, uintptr_t site)
{
    for (int i = 0; i < count; i++) {
        const struct msghdr *message = &messages[i].msg_hdr;
        called_wrote_parts(message_parts(message), message_count(message), messages[i].msg_len,
                           site);
        called_writes(&messages[i].msg_len, sizeof messages[i].msg_len, site);
    }
    return count;
}
