/* Sockets: when they are ready, and what reading, writing and closing them does. */
#define _GNU_SOURCE
#include "runtime/file/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>

#include "base/mix.h"
#include "runtime/file/still.h"

enum { UDP_SIZE_MAX = 65507, UNIX_SIZE_MAX = 212960, BYTES_MAX = 212992, UNIX_QUEUE = 11 };

static bool at_end(const struct socket *socket) /* nothing more will come */
{
    return socket->read_shut || socket->receive->writers == 0;
}

static uint32_t connection_ready(const struct socket *socket)
{
    const struct channel *send = socket->send;
    bool end = at_end(socket), gone = socket->hung || (end && socket->write_shut);
    bool room = send->packets < send->packets_max || send->readers == 0 || socket->write_shut;
    return (socket->receive->first != NULL || end ? POLLIN | POLLRDNORM : 0) |
           (end ? POLLRDHUP : 0) | (gone ? POLLHUP : 0) | (room ? POLLOUT | POLLWRNORM : 0);
}

static uint32_t datagrams_ready(const struct socket *socket)
{
    bool room = true;
    if (socket->domain == AF_UNIX && socket->other != NULL && !socket->other->file.closed &&
        socket->other->other != socket)
        room = socket->other->receive->packets < UNIX_QUEUE;
    return (socket->receive->first != NULL || socket->read_shut ? POLLIN | POLLRDNORM : 0) |
           (room ? POLLOUT | POLLWRNORM : 0) | (socket->read_shut ? POLLRDHUP : 0) |
           (socket->read_shut && socket->write_shut ? POLLHUP : 0);
}

static uint32_t socket_ready(const struct file *file)
{
    const struct socket *socket = socket_from(file);
    uint32_t error = socket->error != 0 ? POLLERR | POLLIN | POLLRDNORM : 0;
    if (!socket_connects(socket))
        return datagrams_ready(socket) | error;
    switch (socket->state) {
    case SOCKET_NEW:
        return POLLOUT | POLLWRNORM | POLLHUP | error;
    case SOCKET_LISTENS:
        return (socket->waiting != NULL ? POLLIN | POLLRDNORM : 0) |
               (socket->read_shut ? POLLIN | POLLRDNORM | POLLRDHUP | POLLHUP : 0);
    case SOCKET_CONNECTED:
        return connection_ready(socket) | error;
    case SOCKET_STATES:
        break;
    }
    UNREACHABLE();
}

/* To whom a datagram goes; NULL: nobody. */
static struct socket *receiver_of(const struct socket *socket, const struct transfer *transfer)
{
    if (transfer->address.family != 0)
        return address_find(&transfer->address, socket);
    if (socket->other != NULL)
        return socket->other->file.closed ? NULL : socket->other;
    return socket->peer.family != 0 ? address_find(&socket->peer, socket) : NULL;
}

static bool has_room(const struct socket *from, const struct socket *to, size_t size)
{
    if (from->domain == AF_UNIX && to->other != from && to->receive->packets >= UNIX_QUEUE)
        return false;
    return to->receive->bytes + size <= BYTES_MAX;
}

static bool socket_can_write(const struct file *file, const struct transfer *transfer)
{
    const struct socket *socket = socket_from(file);
    if (!socket_connects(socket)) {
        const struct socket *to = receiver_of(socket, transfer);
        return socket->domain != AF_UNIX || to == NULL || to == socket ||
               to->type != socket->type || transfer->size > UNIX_SIZE_MAX || socket->error != 0 ||
               socket->write_shut || has_room(socket, to, transfer->size);
    }
    if (socket->state != SOCKET_CONNECTED || socket->error != 0 || socket->write_shut ||
        socket->send->readers == 0)
        return true;
    if (socket->send->datagrams)
        return transfer->size > UNIX_SIZE_MAX || socket->send->bytes + transfer->size <= BYTES_MAX;
    return channel_room(socket->send, transfer->size - transfer->done) > 0;
}

static int take_error(struct socket *socket)
{
    int error = socket->error;
    socket->error = 0;
    source_touch(socket->file.in);
    return error;
}

static long socket_read(struct file *file, struct transfer *transfer)
{
    struct socket *socket = socket_from(file);
    if (socket_connects(socket) && socket->state != SOCKET_CONNECTED)
        return socket->domain == AF_UNIX ? -EINVAL : -ENOTCONN;
    struct channel *receive = socket->receive;
    if (receive->first != NULL) {
        if (transfer->flags & MSG_PEEK)
            source_look(&receive->source);
        else
            channel_touch_taken(receive);
        source_acquire(&receive->source);
        return channel_take(receive, transfer);
    }
    if (socket->error != 0)
        return -take_error(socket);
    bool end = socket_connects(socket) ? at_end(socket) : socket->read_shut;
    if (!end)
        return -EAGAIN;
    source_acquire(&receive->source);
    return 0;
}

static long write_connection(struct socket *socket, struct transfer *transfer)
{
    struct channel *send = socket->send;
    if (socket->write_shut || socket->hung || (send->readers == 0 && socket->in_vain)) {
        source_look(&send->source);
        source_acquire(&send->source);
        return -EPIPE;
    }
    size_t size = transfer->size - transfer->done;
    if (send->readers == 0) { /* TCP learns of it by the answer to this write */
        socket->in_vain = true;
        transfer->done = transfer->size;
        source_touch(&send->source);
        return (long)size;
    }
    if (send->datagrams) {
        if (size > UNIX_SIZE_MAX)
            return -EMSGSIZE;
        if (send->bytes + size > BYTES_MAX)
            return -EAGAIN;
        source_arrive(&send->source);
        source_release(&send->source);
        channel_put_datagram(send, transfer, &socket->local);
        return (long)size;
    }
    size = channel_room(send, size);
    if (size == 0)
        return -EAGAIN;
    source_arrive(&send->source);
    source_release(&send->source);
    channel_put(send, transfer, size);
    return (long)size;
}

/* Nobody has that address. UDP learns of it only where it is connected. */
static long lose(struct socket *socket, struct transfer *transfer)
{
    source_look(&socket_names);
    if (socket->domain == AF_UNIX) /* of a name that is still there the socket is closed */
        return address_find(&transfer->address, socket) != NULL
                   ? -ECONNREFUSED
                   : -address_missing(&transfer->address);
    if (transfer->address.family == 0)
        socket->error = ECONNREFUSED;
    transfer->done = transfer->size;
    return (long)transfer->size;
}

static long write_datagram(struct socket *socket, struct transfer *transfer)
{
    bool local = socket->domain == AF_UNIX;
    if (socket->write_shut)
        return -EPIPE;
    if (transfer->size > (local ? UNIX_SIZE_MAX : UDP_SIZE_MAX))
        return -EMSGSIZE;
    if (transfer->address.family == 0 && socket->peer.family == 0 && socket->other == NULL)
        return local ? -ENOTCONN : -EDESTADDRREQ;
    address_bind_any(socket, transfer->address.family != 0 ? &transfer->address : &socket->peer);
    struct socket *to = receiver_of(socket, transfer);
    if (to == NULL || to->file.closed)
        return lose(socket, transfer);
    if (to->type != socket->type)
        return -EPROTOTYPE;
    struct channel *receive = to->receive;
    if (to->peer.family != 0 && to->other != socket && local)
        return -EPERM; /* it listens to another one only */
    if (!has_room(socket, to, transfer->size)) {
        if (local)
            return -EAGAIN;
        source_look(&receive->source); /* lost on the way */
        transfer->done = transfer->size;
        return (long)transfer->size;
    }
    source_arrive(&receive->source);
    source_release(&receive->source);
    channel_put_datagram(receive, transfer, &socket->local);
    return (long)transfer->size;
}

static long socket_write(struct file *file, struct transfer *transfer)
{
    struct socket *socket = socket_from(file);
    if (socket->error != 0)
        return -take_error(socket);
    if (!socket_connects(socket))
        return write_datagram(socket, transfer);
    if (socket->state != SOCKET_CONNECTED)
        return socket->domain == AF_UNIX ? -ENOTCONN : -EPIPE;
    if (transfer->address.family != 0 && socket->domain == AF_UNIX && !socket->send->datagrams)
        return -EISCONN;
    return write_connection(socket, transfer);
}

void socket_hang_up(struct socket *socket)
{
    struct socket *other = socket->other;
    bool unread = socket->receive->first != NULL;
    socket->receive->readers = 0;
    socket->send->writers = 0;
    if (unread)
        other->error = ECONNRESET;
    if (socket->domain == AF_UNIX)
        other->hung = true;
    source_leave(&socket->receive->source);
    source_arrive(&socket->send->source);
    source_release(&socket->receive->source);
    source_release(&socket->send->source);
}

static void socket_close(struct file *file)
{
    struct socket *socket = socket_from(file);
    address_forget(socket);
    if (socket->state == SOCKET_CONNECTED)
        socket_hang_up(socket);
    for (struct socket *each = socket->waiting; each != NULL; each = each->later) {
        each->other->error = ECONNRESET;
        socket_hang_up(each);
        each->file.closed = true;
    }
    source_touch(socket->file.in);
    source_release(socket->file.in);
}

static uint64_t socket_still(struct file *file, struct still *still)
{
    struct socket *socket = socket_from(file);
    return mix(channel_still(socket->receive, still), channel_still(socket->send, still));
}

const struct file_kind file_socket = {
    .name = "socket",
    .ready = socket_ready,
    .can_write = socket_can_write,
    .read = socket_read,
    .write = socket_write,
    .close = socket_close,
    .still = socket_still,
};

struct socket *socket_make(int domain, int type, int protocol, int flags, uintptr_t site)
{
    struct socket *socket = file_memory(sizeof *socket, site);
    socket->file.kind = &file_socket;
    socket->file.flags = O_RDWR | (flags & SOCK_NONBLOCK ? O_NONBLOCK : 0);
    socket->file.in = socket->file.out = &socket->source;
    socket->domain = domain;
    socket->type = type;
    socket->protocol = protocol;
    socket->read_timeout = socket->write_timeout = FILE_NEVER;
    if (type == SOCK_DGRAM) {
        socket->receive = channel_make(true, UINT32_MAX, site);
        socket->file.in = socket->file.out = &socket->receive->source;
    }
    return socket;
}

void socket_join(struct socket *a, struct socket *b, uintptr_t site)
{
    struct socket *both[2] = {a, b};
    bool datagrams = a->type != SOCK_STREAM;
    for (int i = 0; i < 2; i++) {
        both[i]->other = both[1 - i];
        if (!socket_connects(a))
            continue;
        both[i]->receive = channel_make(datagrams, datagrams ? UINT32_MAX : SOCKET_PAGES, site);
        both[i]->state = SOCKET_CONNECTED;
    }
    for (int i = 0; i < 2; i++) {
        both[i]->send = both[1 - i]->receive;
        both[i]->file.in = &both[i]->receive->source;
        both[i]->file.out = &both[i]->send->source;
        both[i]->file.in->arrivals = both[i]->source.arrivals + 1; /* news, for EPOLLET */
        both[i]->file.out->departures = both[i]->source.departures + 1;
    }
}
