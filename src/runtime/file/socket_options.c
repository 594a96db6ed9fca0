/* setsockopt and getsockopt. Most options change nothing that the program could see here; they are
 * kept, so that asking for them gives what was set. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/time.h>

#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/socket.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_clock.h"

enum { BUFFER_SIZE = 212992 };

int socket_option(const struct socket *socket, int level, int name)
{
    for (uint32_t i = 0; i < socket->option_count; i++)
        if (socket->options[i].level == level && socket->options[i].name == name)
            return socket->options[i].value;
    return 0;
}

static void keep(struct socket *socket, int level, int name, int value, uintptr_t site)
{
    uint32_t at = 0;
    while (at < socket->option_count &&
           (socket->options[at].level != level || socket->options[at].name != name))
        at++;
    if (at == OPTIONS_MAX)
        refuse_call("setsockopt", "more than 16 options of one socket are not modelled; set fewer",
                    site);
    socket->options[at].level = level;
    socket->options[at].name = name;
    socket->options[at].value = value;
    socket->option_count += at == socket->option_count;
}

/* Options that make no difference between threads of one program. */
static bool is_harmless(int level, int name)
{
    if (level == IPPROTO_TCP)
        return name != TCP_DEFER_ACCEPT && name != TCP_REPAIR;
    if (level == IPPROTO_IPV6)
        return name == IPV6_V6ONLY || name == IPV6_TCLASS;
    if (level == IPPROTO_IP)
        return name == IP_TOS || name == IP_TTL;
    switch (name) {
    case SO_REUSEADDR:
    case SO_KEEPALIVE:
    case SO_BROADCAST:
    case SO_DONTROUTE:
    case SO_OOBINLINE:
    case SO_PRIORITY:
    case SO_LINGER:
    case SO_SNDBUF:
    case SO_RCVBUF:
    case SO_DEBUG:
    case SO_TIMESTAMP:
        return level == SOL_SOCKET;
    default:
        return false;
    }
}

static int set_timeout(struct socket *socket, int name, const void *value, unsigned size)
{
    struct timeval time;
    if (size < sizeof time)
        return file_fails(EINVAL);
    memcpy(&time, value, sizeof time);
    if (time.tv_usec < 0 || time.tv_usec >= 1000000)
        return file_fails(EDOM);
    struct timespec length = {.tv_sec = time.tv_sec, .tv_nsec = time.tv_usec * 1000};
    uint64_t timeout = clock_length(&length);
    *(name == SO_RCVTIMEO ? &socket->read_timeout : &socket->write_timeout) =
        timeout == 0 ? FILE_NEVER : timeout;
    return 0;
}

uint64_t socket_deadline(const struct socket *socket)
{
    return clock_after(socket->read_timeout);
}

static struct socket *socket_of(int descriptor)
{
    struct file *file = file_of(descriptor);
    if (file->kind == &file_socket)
        return socket_from(file);
    file_fails(ENOTSOCK);
    return NULL;
}

int socket_set_option(int descriptor, int level, int name, const void *value, unsigned size,
                      uintptr_t site)
{
    struct socket *socket = socket_of(descriptor);
    int number = 0;
    if (socket == NULL)
        return -1;
    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO))
        return set_timeout(socket, name, value, size);
    if (!is_harmless(level, name))
        refuse_call("setsockopt", "this option is not modelled; leave it out when testing", site);
    if (size < sizeof number)
        return file_fails(EINVAL);
    memory_access(value, sizeof number, false, site);
    memcpy(&number, value, sizeof number);
    if (level == SOL_SOCKET && (name == SO_SNDBUF || name == SO_RCVBUF))
        number *= 2; /* as Linux does */
    keep(socket, level, name, number, site);
    return 0;
}

static int give(void *to, unsigned *size, const void *value, unsigned length, uintptr_t site)
{
    unsigned some = *size < length ? *size : length;
    memory_access(to, some, true, site);
    memcpy(to, value, some);
    *size = some;
    return 0;
}

static int give_timeout(uint64_t timeout, void *to, unsigned *size, uintptr_t site)
{
    struct timeval time = {0};
    if (timeout != FILE_NEVER)
        time = (struct timeval){.tv_sec = (time_t)(timeout / CLOCK_SECOND),
                                .tv_usec = (long)(timeout % CLOCK_SECOND / CLOCK_MICROSECOND)};
    return give(to, size, &time, sizeof time, site);
}

/* SO_ERROR takes the error: a step. */
static int take_error(int descriptor, const struct local *local, int *error)
{
    struct file_wait wait = {.descriptor = descriptor, .deadline = FILE_NEVER, .local = local};
    if (!file_step(&wait, OP_FILE_CHANGE, file_of(descriptor)->in))
        return file_fails(wait.error);
    struct socket *socket = socket_from(wait.file);
    *error = socket->error;
    socket->error = 0;
    if (*error != 0) {
        source_touch(wait.file->in);
    } else {
        source_look(wait.file->in);
        file_step_failed(&wait);
    }
    return 0;
}

static int value_of(const struct socket *socket, int name, uintptr_t site)
{
    switch (name) {
    case SO_TYPE:
        return socket->type;
    case SO_DOMAIN:
        return socket->domain;
    case SO_PROTOCOL:
        if (socket->domain == AF_UNIX)
            return 0;
        return socket->type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP;
    case SO_ACCEPTCONN:
        return socket->state == SOCKET_LISTENS;
    case SO_SNDBUF:
    case SO_RCVBUF: {
        int set = socket_option(socket, SOL_SOCKET, name);
        return set != 0 ? set : BUFFER_SIZE;
    }
    default:
        if (!is_harmless(SOL_SOCKET, name))
            refuse_call("getsockopt", "this option is not modelled; leave it out when testing",
                        site);
        return socket_option(socket, SOL_SOCKET, name);
    }
}

int socket_get_option(int descriptor, int level, int name, void *value, unsigned *size,
                      const struct local *local)
{
    struct socket *socket = socket_of(descriptor);
    int number = 0;
    if (socket == NULL)
        return -1;
    called_writes(size, sizeof *size, local->site);
    if ((int)*size < 0)
        return file_fails(EINVAL);
    if (level == SOL_SOCKET && name == SO_RCVTIMEO)
        return give_timeout(socket->read_timeout, value, size, local->site);
    if (level == SOL_SOCKET && name == SO_SNDTIMEO)
        return give_timeout(socket->write_timeout, value, size, local->site);
    if (level == SOL_SOCKET && name == SO_ERROR) {
        if (take_error(descriptor, local, &number) < 0)
            return -1;
    } else if (level == SOL_SOCKET) {
        number = value_of(socket, name, local->site);
    } else {
        if (!is_harmless(level, name))
            refuse_call("getsockopt", "this option is not modelled; leave it out when testing",
                        local->site);
        number = socket_option(socket, level, name);
    }
    return give(value, size, &number, sizeof number, local->site);
}
