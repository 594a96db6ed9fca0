/* Addresses of sockets, and which socket has which. IPv4 addresses are kept as IPv6 ones. */
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/socket.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/world.h"

enum { PORT_FIRST = 32768, PORT_LAST = 60999, UNIX_AUTO_SIZE = 6 };

struct source socket_names; /* which addresses are taken; the program's state, as the next two */
static struct socket *all_named;
static uint32_t given; /* ports and names, by us */

static const uint8_t any[16];
static const uint8_t loopback[16] = {[15] = 1};
static const uint8_t mapped[12] = {[10] = 0xff, 0xff};

static bool is_mapped(const uint8_t *ip)
{
    return memcmp(ip, mapped, sizeof mapped) == 0;
}

static bool is_any(const uint8_t *ip)
{
    return memcmp(ip, any, sizeof any) == 0;
}

static bool is_here(const uint8_t *ip)
{
    return is_any(ip) || memcmp(ip, loopback, sizeof loopback) == 0 ||
           (is_mapped(ip) && ip[12] == 127);
}

static uint16_t swapped(uint16_t port)
{
    return __builtin_bswap16(port);
}

static size_t length_of(const char *text, size_t most)
{
    size_t size = 0;
    while (size < most && text[size] != 0)
        size++;
    return size;
}

static int read_unix(struct address *out, const struct sockaddr_un *in, uint32_t size)
{
    size_t head = offsetof(struct sockaddr_un, sun_path);
    if (size > sizeof *in || size < head)
        return EINVAL;
    size_t length = size - head;
    if (length > 0 && in->sun_path[0] != 0)
        length = length_of(in->sun_path, length);
    memcpy(out->name, in->sun_path, length);
    out->size = (uint8_t)length;
    return 0;
}

static int read_inet(struct address *out, const struct sockaddr_in *in, uint32_t size)
{
    if (size < sizeof *in)
        return EINVAL;
    out->family = AF_INET6;
    out->port = swapped(in->sin_port);
    if (in->sin_addr.s_addr != 0) {
        memcpy(out->ip, mapped, sizeof mapped);
        memcpy(out->ip + sizeof mapped, &in->sin_addr, 4);
    }
    return 0;
}

static int read_inet6(struct address *out, const struct sockaddr_in6 *in, uint32_t size)
{
    if (size < offsetof(struct sockaddr_in6, sin6_scope_id))
        return EINVAL;
    out->port = swapped(in->sin6_port);
    memcpy(out->ip, &in->sin6_addr, 16);
    if (is_mapped(out->ip) && memcmp(out->ip + 12, any, 4) == 0)
        memset(out->ip, 0, 16);
    return 0;
}

int address_read(struct address *out, int domain, const void *address, uint32_t size,
                 enum op_kind kind, const char *call, uintptr_t site)
{
    const struct sockaddr *head = address;
    memset(out, 0, sizeof *out);
    if (address == NULL || size < sizeof head->sa_family)
        return address == NULL ? EFAULT : EINVAL;
    memory_read_before(kind, address, size, site);
    out->family = head->sa_family;
    if (head->sa_family != domain && !(head->sa_family == AF_UNSPEC))
        return domain == AF_UNIX ? EINVAL : EAFNOSUPPORT;
    int error = EINVAL;
    if (domain == AF_UNIX)
        error = read_unix(out, address, size);
    else if (domain == AF_INET)
        error = read_inet(out, address, size);
    else
        error = read_inet6(out, address, size);
    if (error == 0 && domain != AF_UNIX && !is_here(out->ip))
        refuse_call(call, "addresses outside of the program are not modelled; use 127.0.0.1 or ::1",
                    site);
    return error;
}

void address_write(const struct address *address, int domain, void *out, uint32_t *size,
                   uintptr_t site)
{
    union {
        struct sockaddr_un local;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } all = {0};
    uint32_t length;
    if (out == NULL || size == NULL)
        return;
    if (domain == AF_UNIX) {
        all.local.sun_family = AF_UNIX;
        memcpy(all.local.sun_path, address->name, address->size);
        length = (uint32_t)offsetof(struct sockaddr_un, sun_path) + address->size;
        if (address->size > 0 && address->name[0] != 0 && address->size < sizeof address->name)
            length++; /* with the zero at its end */
    } else if (domain == AF_INET) {
        all.four.sin_family = AF_INET;
        all.four.sin_port = swapped(address->port);
        memcpy(&all.four.sin_addr, address->ip + 12, 4);
        length = sizeof all.four;
    } else {
        all.six.sin6_family = AF_INET6;
        all.six.sin6_port = swapped(address->port);
        memcpy(&all.six.sin6_addr, address->ip, 16);
        length = sizeof all.six;
    }
    if (address->family == 0 && domain != AF_UNIX && address->port == 0)
        memset((char *)&all + sizeof(sa_family_t), 0, sizeof all - sizeof(sa_family_t));
    memory_access(size, sizeof *size, true, site);
    uint32_t some = *size < length ? *size : length;
    if (some > 0)
        memory_access(out, some, true, site);
    memcpy(out, &all, some);
    *size = length;
}

static bool same_name(const struct address *a, const struct address *b)
{
    return a->size == b->size && memcmp(a->name, b->name, a->size) == 0;
}

/* The socket's own address covers the wanted one. */
static bool covers(const struct socket *socket, const uint8_t *ip)
{
    const uint8_t *own = socket->local.ip;
    if (!is_any(own) && !is_any(ip))
        return memcmp(own, ip, 16) == 0;
    if (is_any(ip) || socket->domain == AF_INET)
        return is_any(ip) || is_mapped(ip);
    return !is_mapped(ip) || !socket_option(socket, IPPROTO_IPV6, IPV6_V6ONLY);
}

static bool same_kind(const struct socket *a, const struct socket *b)
{
    return a->type == b->type && (a->domain == AF_UNIX) == (b->domain == AF_UNIX);
}

struct socket *address_find(const struct address *address, const struct socket *asking)
{
    struct address wanted = *address;
    if (asking->domain != AF_UNIX && is_any(wanted.ip)) {
        memcpy(wanted.ip, asking->domain == AF_INET ? mapped : loopback, 12);
        wanted.ip[12] = asking->domain == AF_INET ? 127 : 0;
        wanted.ip[15] = 1;
    }
    for (struct socket *each = all_named; each != NULL; each = each->next) {
        if (!each->named)
            continue;
        bool found = asking->domain == AF_UNIX
                         ? each->domain == AF_UNIX && same_name(&each->local, &wanted)
                         : same_kind(each, asking) && each->local.port == wanted.port &&
                               covers(each, wanted.ip);
        if (found)
            return each;
    }
    return NULL;
}

static bool is_path(const struct address *address)
{
    return address->size > 0 && address->name[0] != 0;
}

/* The kernel's error for the first `size` bytes of a path; 0: it is there. */
static int path_error(const struct address *address, size_t size)
{
    char path[sizeof address->name + 2] = {0};
    memcpy(path, address->name, size);
    if (size < address->size)
        path[size] = '.'; /* a folder, or the path does not lead there */
    return world_path_error(path);
}

static int folder_error(const struct address *address)
{
    size_t size = address->size;
    while (size > 0 && address->name[size - 1] != '/')
        size--;
    return size == 0 ? 0 : path_error(address, size);
}

int address_missing(const struct address *address)
{
    int error = is_path(address) ? path_error(address, address->size) : 0;
    return error != 0 ? error : ECONNREFUSED;
}

static bool may_share(const struct socket *a, const struct socket *b)
{
    bool reuse =
        socket_option(a, SOL_SOCKET, SO_REUSEADDR) && socket_option(b, SOL_SOCKET, SO_REUSEADDR);
    return reuse && a->state != SOCKET_LISTENS && b->state != SOCKET_LISTENS;
}

static bool is_taken(const struct socket *socket, const struct address *address)
{
    for (struct socket *each = all_named; each != NULL; each = each->next) {
        if (!each->named || (each->domain == AF_UNIX) != (socket->domain == AF_UNIX))
            continue;
        if (socket->domain == AF_UNIX && same_name(&each->local, address))
            return true;
        if (socket->domain != AF_UNIX && same_kind(each, socket) &&
            each->local.port == address->port && covers(each, address->ip) &&
            !may_share(each, socket))
            return true;
    }
    return false;
}

static void give_address(struct socket *socket, const struct address *address)
{
    socket->local = *address;
    socket->named = true;
    socket->next = all_named;
    all_named = socket;
    source_touch(&socket_names);
}

/* Whether a socket has the port, or speaks to one that had it. */
static bool is_in_use(uint16_t port)
{
    for (int i = 0; i < DESCRIPTORS_MAX; i++) {
        const struct file *file = file_of(i);
        if (file == NULL || file->kind != &file_socket || socket_from(file)->domain == AF_UNIX)
            continue;
        const struct socket *socket = socket_from(file);
        if (socket->local.port == port || socket->peer.port == port)
            return true;
        for (const struct socket *each = socket->waiting; each != NULL; each = each->later)
            if (each->peer.port == port)
                return true;
    }
    return false;
}

static void choose_port(struct socket *socket, struct address *address)
{
    do {
        address->port = (uint16_t)(PORT_FIRST + given++ % (PORT_LAST - PORT_FIRST));
    } while (is_taken(socket, address) || is_in_use(address->port));
}

static void write_name(struct address *address, uint32_t number)
{
    static const char digits[] = "0123456789abcdef";
    address->size = UNIX_AUTO_SIZE;
    address->name[0] = 0;
    for (int i = UNIX_AUTO_SIZE - 1; i > 0; i--, number /= 16)
        address->name[i] = digits[number % 16];
}

static void choose_name(struct socket *socket, struct address *address)
{
    do {
        write_name(address, given++);
    } while (is_taken(socket, address));
}

/* Whether a name is free, as the kernel sees its path; 0: it is. */
static int name_error(const struct address *address)
{
    if (!is_path(address))
        return 0;
    int error = folder_error(address);
    return error == 0 && path_error(address, address->size) == 0 ? EADDRINUSE : error;
}

int address_bind(struct socket *socket, const struct address *address)
{
    struct address wanted = *address;
    if (socket->local.family != 0)
        return EINVAL;
    wanted.family = (uint16_t)(socket->domain == AF_UNIX ? AF_UNIX : AF_INET6);
    if (socket->domain == AF_UNIX && wanted.size == 0)
        choose_name(socket, &wanted);
    else if (socket->domain != AF_UNIX && wanted.port == 0)
        choose_port(socket, &wanted);
    else if (is_taken(socket, &wanted))
        return EADDRINUSE;
    int error = socket->domain == AF_UNIX ? name_error(&wanted) : 0;
    if (error == 0)
        give_address(socket, &wanted);
    return error;
}

/* A port for a socket that speaks first. */
void address_bind_any(struct socket *socket, const struct address *peer)
{
    if (socket->local.family != 0 || socket->domain == AF_UNIX)
        return;
    struct address own = {.family = AF_INET6};
    memcpy(own.ip, is_any(peer->ip) && socket->domain == AF_INET6 ? loopback : peer->ip, 16);
    if (is_any(own.ip)) {
        memcpy(own.ip, mapped, sizeof mapped);
        own.ip[12] = 127;
        own.ip[15] = 1;
    }
    choose_port(socket, &own);
    if (socket_connects(socket)) { /* a connection's own address does not lead to it */
        socket->local = own;
        return;
    }
    give_address(socket, &own);
}

void address_forget(struct socket *socket)
{
    bool stays = socket->domain == AF_UNIX && socket->local.size > 0 && socket->local.name[0] != 0;
    if (socket->named)
        source_touch(&socket_names);
    if (!stays)
        socket->named = false;
}

/* unlink of the path of a Unix socket: false if it is none. */
bool socket_unlink(const char *path, uintptr_t site)
{
    if (all_named == NULL || path == NULL)
        return false;
    struct address wanted = {.size = 0};
    size_t size = strlen(path);
    if (size >= sizeof wanted.name)
        return false;
    memcpy(wanted.name, path, size);
    wanted.size = (uint8_t)size;
    for (struct socket *each = all_named; each != NULL; each = each->next)
        if (each->named && each->domain == AF_UNIX && same_name(&each->local, &wanted)) {
            ex.me->mutex = NULL;
            announce_on(OP_FILE_CHANGE, object_number(&socket_names), site);
            if (!each->named) { /* somebody else was faster: it is gone */
                source_look(&socket_names);
                return false;
            }
            source_touch(&socket_names);
            each->named = false;
            return true;
        }
    return false;
}
