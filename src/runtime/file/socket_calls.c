/* socket, bind, listen, connect, accept and the like. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>

#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/socket.h"
#include "runtime/snapshot/world.h"

enum { TYPE_FLAGS = SOCK_CLOEXEC | SOCK_NONBLOCK, BACKLOG_MAX = 4096 };

/* 0 or an errno. */
static int check_kind(const char *call, int domain, int type, int protocol, uintptr_t site)
{
    if (domain < 0 || domain >= AF_MAX)
        return EAFNOSUPPORT;
    if (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6)
        refuse_call(call,
                    "sockets of this family are not modelled; "
                    "use AF_UNIX, AF_INET or AF_INET6",
                    site);
    if (type == SOCK_RAW || type == SOCK_PACKET || type == SOCK_RDM)
        refuse_call(call, "sockets of this type are not modelled; use a stream or datagrams", site);
    if (type != SOCK_STREAM && type != SOCK_DGRAM && type != SOCK_SEQPACKET)
        return EINVAL;
    if (type == SOCK_SEQPACKET && domain != AF_UNIX)
        return ESOCKTNOSUPPORT;
    if (domain == AF_UNIX)
        return protocol == 0 || protocol == PF_UNIX ? 0 : EPROTONOSUPPORT;
    int usual = type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    return protocol == 0 || protocol == usual ? 0 : EPROTONOSUPPORT;
}

int socket_open(int domain, int type, int protocol, uintptr_t site)
{
    int error = check_kind("socket", domain, type & ~TYPE_FLAGS, protocol, site);
    if (error != 0)
        return file_fails(error);
    struct socket *socket =
        socket_make(domain, type & ~TYPE_FLAGS, protocol, type & TYPE_FLAGS, site);
    return file_open(&socket->file, type & SOCK_CLOEXEC, site);
}

int socket_open_pair(int domain, int type, int protocol, int ends[2], uintptr_t site)
{
    int error = check_kind("socketpair", domain, type & ~TYPE_FLAGS, protocol, site);
    if (error == 0 && domain != AF_UNIX)
        error = EOPNOTSUPP;
    if (error != 0)
        return file_fails(error);
    struct socket *both[2];
    for (int i = 0; i < 2; i++)
        both[i] = socket_make(domain, type & ~TYPE_FLAGS, protocol, type & TYPE_FLAGS, site);
    socket_join(both[0], both[1], site);
    struct file *files[2] = {&both[0]->file, &both[1]->file};
    return file_open_two(files, ends, type & SOCK_CLOEXEC, site);
}

static struct socket *socket_of(int descriptor)
{
    struct file *file = file_of(descriptor);
    if (file->kind == &file_socket)
        return socket_from(file);
    file_fails(ENOTSOCK);
    return NULL;
}

static const struct source *source_of(const struct file *file)
{
    return file->in != NULL ? file->in : &socket_names;
}

/* A step that always can be taken: the socket, or NULL and errno. */
static struct socket *socket_step(int descriptor, enum op_kind kind, const struct local *local)
{
    struct socket *socket = socket_of(descriptor);
    struct file_wait wait = {.descriptor = descriptor, .deadline = FILE_NEVER, .local = local};
    if (socket == NULL)
        return NULL;
    if (!file_step(&wait, kind, source_of(&socket->file))) {
        file_fails(EBADF);
        return NULL;
    }
    if (wait.file->kind == &file_socket)
        return socket_from(wait.file);
    file_fails(ENOTSOCK);
    return NULL;
}

static int fail_step(struct socket *socket, int error)
{
    source_look(socket->file.in);
    step_failed();
    return file_fails(error);
}

int socket_bind(int descriptor, const void *address, unsigned size, const struct local *local)
{
    struct socket *socket = socket_of(descriptor);
    struct address wanted;
    if (socket == NULL)
        return -1;
    int error =
        address_read(&wanted, socket->domain, address, size, OP_FILE_CHANGE, "bind", local->site);
    if (error != 0)
        return file_fails(error);
    socket = socket_step(descriptor, OP_FILE_CHANGE, local);
    if (socket == NULL)
        return -1;
    source_look(&socket_names);
    error = address_bind(socket, &wanted);
    if (error != 0)
        return fail_step(socket, error);
    source_touch(socket->file.in);
    source_release(&socket_names);
    return 0;
}

int socket_listen(int descriptor, int backlog, const struct local *local)
{
    struct socket *socket = socket_step(descriptor, OP_FILE_CHANGE, local);
    if (socket == NULL)
        return -1;
    if (!socket_connects(socket))
        return fail_step(socket, EOPNOTSUPP);
    if (socket->state == SOCKET_CONNECTED || (socket->domain == AF_UNIX && !socket->named))
        return fail_step(socket, EINVAL);
    if (socket->local.family == 0 && socket->domain != AF_UNIX)
        address_bind(socket, &(struct address){0});
    socket->state = SOCKET_LISTENS;
    socket->backlog = backlog < 0 || backlog > BACKLOG_MAX ? BACKLOG_MAX : (uint32_t)backlog;
    source_touch(&socket_names);
    source_touch(socket->file.in);
    source_release(socket->file.in);
    return 0;
}

struct connecting {
    struct file_wait wait; /* first: the scheduler knows only this */
    struct address to;
};

/* The socket that would take the connection now; NULL: none listens there. */
static struct socket *listener_of(const struct socket *socket, const struct address *to)
{
    struct socket *listener = address_find(to, socket);
    bool listens = listener != NULL && !listener->file.closed && listener->type == socket->type &&
                   listener->state == SOCKET_LISTENS && !listener->read_shut;
    return listens ? listener : NULL;
}

static bool is_full(const struct socket *listener)
{
    return listener->waiting_count > listener->backlog;
}

static bool can_connect(const struct file *file, const struct file_wait *wait)
{
    const struct socket *socket = socket_from(file);
    if (file->kind != &file_socket || socket->state != SOCKET_NEW)
        return true;
    const struct socket *listener = listener_of(socket, &((const struct connecting *)wait)->to);
    return listener == NULL || !is_full(listener);
}

static void queue(struct socket *listener, struct socket *end)
{
    struct socket **at = &listener->waiting;
    while (*at != NULL)
        at = &(*at)->later;
    *at = end;
    listener->waiting_count++;
    source_arrive(&listener->source);
    source_release(&listener->source);
}

static void name_connection(struct socket *client)
{
    file_name(client->file.in, "connection, to port", client->local.port, -1);
    file_name(client->file.out, "connection, to port", client->peer.port, -1);
}

/* Nobody takes the connection; TCP learns of it later where it does not block. */
static int connect_nobody(struct socket *socket, const struct address *to, bool blocks)
{
    const struct socket *named = address_find(to, socket);
    if (socket->domain != AF_UNIX && !blocks) {
        socket->error = ECONNREFUSED;
        socket->begun = true;
        source_arrive(socket->file.in);
        return EINPROGRESS;
    }
    if (socket->domain != AF_UNIX || (named != NULL && named->type == socket->type))
        return ECONNREFUSED;
    return named != NULL ? EPROTOTYPE : address_missing(to);
}

static int connect_to(struct socket *socket, const struct address *to, bool blocks, uintptr_t site)
{
    struct socket *listener = listener_of(socket, to);
    source_look(&socket_names);
    if (listener == NULL)
        return connect_nobody(socket, to, blocks);
    if (is_full(listener) && !blocks) {
        if (socket->domain != AF_UNIX)
            refuse_call("connect",
                        "a full backlog is not modelled without blocking; "
                        "listen with a larger one",
                        site);
        return EAGAIN;
    }
    if (socket->state != SOCKET_NEW)
        return EISCONN;
    address_bind_any(socket, to);
    struct socket *end = socket_make(listener->domain, socket->type, socket->protocol, 0, site);
    end->local = listener->local;
    if (socket->domain != AF_UNIX)
        end->local = *to;
    end->local.family = listener->local.family;
    end->peer = socket->local;
    socket->peer = end->local;
    source_touch(socket->file.in);
    socket_join(socket, end, site);
    source_touch(socket->file.in); /* a close may meet the socket before or after it was joined */
    if (socket->domain != AF_UNIX)
        name_connection(socket);
    queue(listener, end);
    socket->begun = !blocks && socket->domain != AF_UNIX;
    return socket->begun ? EINPROGRESS : 0;
}

/* Datagrams: sets the peer. */
static int connect_datagrams(struct socket *socket, const struct address *to)
{
    socket->other = NULL;
    socket->file.out = socket->file.in;
    if (to->family == AF_UNSPEC) {
        socket->peer = (struct address){0};
        source_touch(socket->file.in);
        return 0;
    }
    source_look(&socket_names);
    if (socket->domain == AF_UNIX) {
        struct socket *other = address_find(to, socket);
        if (other == NULL || other->file.closed)
            return other == NULL ? address_missing(to) : ECONNREFUSED;
        if (other->type != socket->type)
            return EPROTOTYPE;
        socket->other = other;
        socket->file.out = &other->receive->source;
    }
    address_bind_any(socket, to);
    socket->peer = *to;
    socket->peer.family = (uint16_t)(socket->domain == AF_UNIX ? AF_UNIX : AF_INET6);
    source_touch(socket->file.in);
    return 0;
}

/* The result that an earlier connect has left for this one; -1: none, go on. */
static int left_behind(struct socket *socket)
{
    if (socket->state == SOCKET_LISTENS)
        return socket->domain == AF_UNIX ? EINVAL : EISCONN;
    if (socket->domain == AF_UNIX)
        return -1; /* the owner of the address is asked first */
    bool begun = socket->begun;
    socket->begun = false;
    if (socket->state == SOCKET_CONNECTED)
        return begun ? 0 : EISCONN;
    if (!begun)
        return -1;
    int error = socket->error != 0 ? socket->error : ECONNABORTED;
    socket->error = 0;
    return error;
}

static void refuse_strangers(const struct socket *socket, const struct address *to, uintptr_t site)
{
    char path[sizeof to->name + 1] = {0};
    memcpy(path, to->name, to->size);
    if (socket->domain == AF_UNIX && to->size > 0 && to->name[0] != 0 &&
        address_find(to, socket) == NULL && world_path_error(path) == 0)
        refuse_call("connect",
                    "sockets of other processes are not modelled; "
                    "listen in a thread of the program",
                    site);
}

int socket_connect(int descriptor, const void *address, unsigned size, const struct local *local)
{
    struct socket *socket = socket_of(descriptor);
    struct connecting connecting = {
        .wait = {
            .descriptor = descriptor, .deadline = FILE_NEVER, .can = can_connect, .local = local}};
    if (socket == NULL)
        return -1;
    int error = address_read(&connecting.to, socket->domain, address, size, OP_CONNECT, "connect",
                             local->site);
    if (error != 0)
        return file_fails(error);
    refuse_strangers(socket, &connecting.to, local->site);
    connecting.wait.blocks = connecting.wait.by_flag = true;
    const struct socket *listener = address_find(&connecting.to, socket);
    if (!file_step(&connecting.wait, OP_CONNECT,
                   listener != NULL ? listener->file.in : &socket_names))
        return file_fails(connecting.wait.error);
    struct file *file = connecting.wait.file;
    if (file->kind != &file_socket)
        return file_fails(ENOTSOCK);
    socket = socket_from(file);
    if (!socket_connects(socket))
        error = connect_datagrams(socket, &connecting.to);
    else
        error = left_behind(socket);
    if (error < 0)
        error = connect_to(socket, &connecting.to, connecting.wait.blocks, local->site);
    if (error != 0 && error != EINPROGRESS) {
        source_look(socket->file.in);
        file_step_failed(&connecting.wait);
    }
    file_step_done(&connecting.wait);
    return error != 0 ? file_fails(error) : 0;
}

static bool can_accept(const struct file *file, const struct file_wait *wait)
{
    return file->kind != &file_socket || socket_from(file)->state != SOCKET_LISTENS ||
           socket_from(file)->waiting != NULL || socket_from(file)->read_shut;
}

static int accept_error(const struct file *file)
{
    if (file->kind != &file_socket)
        return ENOTSOCK;
    const struct socket *socket = socket_from(file);
    if (!socket_connects(socket))
        return EOPNOTSUPP;
    if (socket->state != SOCKET_LISTENS || socket->read_shut)
        return EINVAL;
    return socket->waiting == NULL ? EAGAIN : 0;
}

int socket_accept(int descriptor, void *address, unsigned *size, int flags,
                  const struct local *local)
{
    struct socket *socket = socket_of(descriptor);
    if (socket == NULL || flags & ~TYPE_FLAGS)
        return socket == NULL ? -1 : file_fails(EINVAL);
    struct file_wait wait = {.descriptor = descriptor,
                             .blocks = true,
                             .by_flag = true,
                             .deadline = FILE_NEVER,
                             .can = can_accept,
                             .local = local};
    if (socket->read_timeout != FILE_NEVER)
        wait.deadline = socket_deadline(socket);
    if (!file_step(&wait, OP_ACCEPT, socket->file.in))
        return file_fails(wait.error);
    int error = accept_error(wait.file);
    socket = socket_from(wait.file);
    if (error != 0) {
        source_look(wait.file->in);
        file_step_failed(&wait);
        file_step_done(&wait);
        return file_fails(error);
    }
    struct socket *end = socket->waiting;
    source_touch(&socket->source);
    source_acquire(&socket->source);
    int made = file_open_now(&end->file, flags & SOCK_CLOEXEC);
    if (made < 0) {
        file_step_done(&wait);
        return file_fails(-made);
    }
    socket->waiting = end->later;
    socket->waiting_count--;
    end->later = NULL;
    end->file.flags |= flags & SOCK_NONBLOCK ? O_NONBLOCK : 0;
    file_step_done(&wait);
    if (end->domain == AF_UNIX) {
        file_name(end->file.in, "socket", made, -1);
        file_name(end->file.out, "the other end of socket", made, -1);
    }
    address_write(&end->peer, end->domain, address, size, local->site);
    return made;
}

int socket_shutdown(int descriptor, int how, const struct local *local)
{
    if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR)
        return socket_of(descriptor) == NULL ? -1 : file_fails(EINVAL);
    struct socket *socket = socket_step(descriptor, OP_FILE_CHANGE, local);
    if (socket == NULL)
        return -1;
    bool connected = socket->state == SOCKET_CONNECTED ||
                     (!socket_connects(socket) && (socket->other != NULL || socket->peer.family));
    bool listens = socket->state == SOCKET_LISTENS;
    if (!connected && !listens && socket->domain != AF_UNIX)
        return fail_step(socket, ENOTCONN);
    if (how != SHUT_WR)
        socket->read_shut = true;
    if (how != SHUT_RD)
        socket->write_shut = true;
    if (socket_connects(socket) && connected) {
        if (how != SHUT_RD)
            socket->send->writers = 0;
        if (how != SHUT_WR && socket->domain == AF_UNIX)
            socket->other->write_shut = true;
        source_arrive(&socket->send->source);
        source_release(&socket->send->source);
    }
    source_arrive(socket->file.in);
    source_release(socket->file.in);
    return 0;
}

/* A socket's own address changes only where the program binds or connects it. */
int socket_own_address(int descriptor, void *address, unsigned *size, uintptr_t site)
{
    struct socket *socket = socket_of(descriptor);
    if (socket == NULL)
        return -1;
    if ((int)*size < 0)
        return file_fails(EINVAL);
    address_write(&socket->local, socket->domain, address, size, site);
    return 0;
}

int socket_peer_address(int descriptor, void *address, unsigned *size, uintptr_t site)
{
    struct socket *socket = socket_of(descriptor);
    if (socket == NULL)
        return -1;
    if (socket->state != SOCKET_CONNECTED && socket->peer.family == 0 && socket->other == NULL)
        return file_fails(ENOTCONN);
    if ((int)*size < 0)
        return file_fails(EINVAL);
    address_write(&socket->peer, socket->domain, address, size, site);
    return 0;
}
