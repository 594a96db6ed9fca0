/* Sockets between threads of the program: TCP and UDP on the loopback interface, and Unix
 * sockets. */
#ifndef RUNTIME_FILE_SOCKET_H
#define RUNTIME_FILE_SOCKET_H

#include "runtime/file/channel.h"

enum socket_state { SOCKET_NEW, SOCKET_LISTENS, SOCKET_CONNECTED, SOCKET_STATES };

enum { OPTIONS_MAX = 16 };

struct socket {
    struct file file;
    struct source source; /* of a socket without a connection */
    int domain, type, protocol;
    enum socket_state state;
    struct address local, peer; /* family 0: none */
    struct socket *next;        /* in the list of those that have an address */
    bool named;                 /* its address means this one */
    struct channel *receive;    /* what others sent to it; NULL: no connection yet */
    struct channel *send;       /* connections: the other end's receive */
    struct socket *other;       /* the other end of a connection or pair */
    struct socket *waiting;     /* connections that nobody has accepted, through `later` */
    struct socket *later;
    uint32_t waiting_count, backlog;
    int error; /* for SO_ERROR and the next call */
    bool read_shut, write_shut;
    bool hung;    /* Unix: the other end is closed */
    bool in_vain; /* TCP: a write went to an end that is closed */
    bool begun;   /* a connect that does not block; the next one is told what came of it */
    uint64_t read_timeout, write_timeout; /* nanoseconds; FILE_NEVER */
    uint32_t option_count;
    struct {
        int level, name, value;
    } options[OPTIONS_MAX];
};

static inline struct socket *socket_from(const struct file *file)
{
    return (struct socket *)file;
}

static inline bool socket_connects(const struct socket *socket) /* otherwise datagrams */
{
    return socket->type != SOCK_DGRAM;
}

struct socket *socket_make(int domain, int type, int protocol, int flags, uintptr_t site);
void socket_join(struct socket *a, struct socket *b, uintptr_t site); /* they are connected now */
void socket_hang_up(struct socket *socket);            /* one end of a connection is gone */
uint64_t socket_deadline(const struct socket *socket); /* of a read that begins now */
int socket_option(const struct socket *socket, int level, int name); /* 0 if it was never set */

/* Addresses. Loopback is all that there is. */
extern struct source socket_names;
/* 0 or an errno; what is not on this machine is refused. */
int address_read(struct address *out, int domain, const void *address, uint32_t size,
                 enum op_kind kind, const char *call, uintptr_t site);
void address_write(const struct address *address, int domain, void *out, uint32_t *size,
                   uintptr_t site); /* out may be NULL */
struct socket *address_find(const struct address *address, const struct socket *asking);
int address_missing(const struct address *address); /* the errno where nobody has it */
int address_bind(struct socket *socket, const struct address *address); /* 0 or an errno */
void address_bind_any(struct socket *socket, const struct address *peer);
void address_forget(struct socket *socket); /* it is closed */

#endif
