/* Files in memory: pipes, eventfds, Unix stream sockets, and the table of descriptors.
 *
 * A descriptor leads to an end, and an end to a file: a queue of bytes or a counter. Opening, dup and close write the table.
 * A call on an open descriptor reads or writes its file, and a close writes the file, too. A call on a closed one reads the
 * table. If other threads are blocked on a descriptor that is closed, or set to O_NONBLOCK, each of them is either in its
 * call already and goes on to wait for the end, or calls later; POSIX leaves open which, so both are tried. */
#define _GNU_SOURCE
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { FILES = 16, DESCRIPTORS = 24, BYTES = 16, FIRST = 3, WAITING = 8 };

enum kind { PIPE, EVENT, SOCKET };

struct file {
    enum kind kind;
    int readers, writers; /* ends that are open */
    size_t size;          /* PIPE: bytes in the queue */
    char bytes[BYTES];
    uint64_t count; /* EVENT */
    /* SOCKET, until it is connected: then its ends have a queue of bytes for each direction. */
    char name[32];
    bool listens;
    int backlog, waiting_count;
    struct end *waiting[WAITING];
};

struct end {
    struct file *file;
    struct file *out; /* where writes go to */
    bool reads, writes;
    bool nonblocking;
    int users; /* descriptors and calls that hold it */
};

static struct files {
    struct end *table[DESCRIPTORS];
    int generation[DESCRIPTORS];
    struct end ends[2 * FILES];
    struct file files[FILES];
    int end_count, file_count;
} *files;

static void files_reset(void)
{
    memset(files, 0, sizeof *files);
}

void files_open(void)
{
    files = room(sizeof *files);
    at_reset(files_reset);
}

static int fails(int error)
{
    errno = error;
    return -1;
}

static struct end *end_of(int descriptor)
{
    return descriptor >= 0 && descriptor < DESCRIPTORS ? files->table[descriptor] : NULL;
}

/* A close races with uses of the same descriptor that nothing orders; one that is opened again is another. */
static void race_with_close(int descriptor, enum access kind, Site site)
{
    uintptr_t key = 1ul << 58 | (uintptr_t)descriptor << 16 | (uintptr_t)files->generation[descriptor];
    race_check(key, kind, site);
}

static void uses(int descriptor, Site site)
{
    if (descriptor >= 0 && descriptor < DESCRIPTORS)
        race_with_close(descriptor, ATOMIC_READ, site);
}

static struct file *file_make(enum kind kind)
{
    if (files->file_count == FILES)
        exceeded("files");
    struct file *file = &files->files[files->file_count++];
    file->kind = kind;
    return file;
}

static int descriptor_take(struct end *end)
{
    int descriptor = FIRST;
    while (descriptor < DESCRIPTORS && files->table[descriptor] != NULL)
        descriptor++;
    if (descriptor == DESCRIPTORS)
        exceeded("descriptors");
    files->table[descriptor] = end;
    files->generation[descriptor]++;
    end->users++;
    return descriptor;
}

static struct end *end_make(struct file *file, bool reads, bool writes, bool nonblocking)
{
    if (files->end_count == 2 * FILES)
        exceeded("ends of files");
    struct end *end = &files->ends[files->end_count++];
    *end = (struct end){.file = file, .out = file, .reads = reads, .writes = writes, .nonblocking = nonblocking};
    file->readers += reads;
    file->writers += writes;
    return end;
}

static void end_leave(struct end *end)
{
    if (--end->users > 0)
        return;
    end->file->readers -= end->reads;
    end->out->writers -= end->writes;
    touch(end->file, true);
    touch(end->out, true);
    release_again(end->file);
    if (end->out != end->file)
        release_again(end->out);
}

/* A call that can block: the descriptor, and the end once the call is known to have begun. */
struct call {
    int descriptor;
    struct end *inside;
    bool never_blocks, timed;
    bool (*possible)(const struct end *end, const struct call *call);
    size_t size;
    uint64_t value;
    short events;
    bool is_poll;
    const char *name; /* of a socket */
};

static bool waits(struct thread *thread)
{
    struct call *call = thread->operation.object;
    struct end *end = call->inside != NULL ? call->inside : end_of(call->descriptor);
    if (end == NULL || call->never_blocks || call->timed)
        return false;
    if (call->inside == NULL && end->nonblocking && !call->is_poll)
        return false;
    return !call->possible(end, call);
}

static bool blocked_or_timed(struct thread *thread)
{
    struct call *call = thread->operation.object;
    struct call untimed = *call;
    untimed.timed = false;
    thread->operation.object = &untimed;
    bool result = waits(thread);
    thread->operation.object = call;
    return result;
}

static bool call_enabled(struct thread *thread)
{
    return !waits(thread);
}

/* A close concerns calls on that descriptor, O_NONBLOCK all that read from or write to the same end. */
static bool is_stuck_on(struct thread *thread, int descriptor, bool closes)
{
    struct call *call = thread->operation.object;
    if (thread->state != READY || thread->operation.enabled != call_enabled || call->inside != NULL || !waits(thread))
        return false;
    return closes ? call->descriptor == descriptor : !call->is_poll && end_of(call->descriptor) == end_of(descriptor);
}

static unsigned ways(int descriptor, bool closes)
{
    unsigned count = 1;
    for (int i = 0; i < the->thread_count; i++)
        if (is_stuck_on(&the->threads[i], descriptor, closes))
            count *= 2;
    return end_of(descriptor) == NULL ? 1 : count;
}

static unsigned ways_to_close(struct thread *thread) { return ways((int)thread->operation.argument, true); }
static unsigned ways_to_unblock(struct thread *thread) { return ways((int)thread->operation.argument, false); }

/* Whether a call has begun when its descriptor is closed or set to O_NONBLOCK depends on the step that led to the call. */
static const void *callers(const struct end *end)
{
    return end == NULL ? (const void *)files : end;
}

static void waiters_decide(int descriptor, bool closes)
{
    touch(callers(end_of(descriptor)), true);
    unsigned late = self->choice;
    for (int i = 0; i < the->thread_count; i++) {
        struct thread *thread = &the->threads[i];
        struct call *call = thread->operation.object;
        if (thread == self || !is_stuck_on(thread, descriptor, closes))
            continue;
        if (!(late & 1)) {
            call->inside = end_of(descriptor);
            call->inside->users++;
        }
        late >>= 1;
    }
}

/* The step of a call on a descriptor; NULL, with errno set, if that means nothing. */
static struct end *enter(struct call *call, const char *name, Site site)
{
    struct end *now = end_of(call->descriptor);
    if (!call->never_blocks && !call->timed)
        touch(callers(now), false);
    announce((struct operation){.name = name,
                                .enabled = call_enabled,
                                .object = call,
                                .site = site,
                                .cancellation_point = true,
                                .interruption = call->never_blocks ? NOT_INTERRUPTED : call->is_poll ? INTERRUPTED : RESTARTED,
                                .waits = blocked_or_timed});
    uses(call->descriptor, site);
    if (self->interrupted) {
        if (call->inside != NULL)
            end_leave(call->inside);
        call->inside = NULL;
        errno = EINTR;
        return NULL;
    }
    struct end *end = call->inside != NULL ? call->inside : end_of(call->descriptor);
    if (end == NULL) {
        touch(files, false);
        errno = EBADF;
    }
    return end;
}

static void leave(struct call *call)
{
    if (call->inside != NULL)
        end_leave(call->inside);
}

static bool readable(const struct end *end, const struct call *call)
{
    (void)call;
    if (end->file->kind == EVENT)
        return end->file->count > 0;
    return !end->reads || end->file->size > 0 || end->file->writers == 0;
}

static bool writable(const struct end *end, const struct call *call)
{
    if (end->file->kind == EVENT)
        return call->value <= UINT64_MAX - 1 - end->file->count;
    return true;
}

static long take_bytes(struct file *file, char *bytes, size_t size, Site site)
{
    touch(file, true);
    acquire(file);
    if (file->kind == EVENT) {
        access_quietly(bytes, sizeof file->count, PLAIN_WRITE, site);
        memcpy(bytes, &file->count, sizeof file->count);
        file->count = 0;
        return sizeof file->count;
    }
    size = size < file->size ? size : file->size;
    access_quietly(bytes, size, PLAIN_WRITE, site);
    memcpy(bytes, file->bytes, size);
    file->size -= size;
    memmove(file->bytes, file->bytes + size, file->size);
    return (long)size;
}

static long read_at(int descriptor, void *bytes, size_t size, Site site)
{
    if (descriptor < 0)
        return fails(EBADF); /* never one, whatever others do: no step */
    struct call call = {.descriptor = descriptor, .possible = readable, .size = size};
    struct end *end = enter(&call, "read from", site);
    if (end == NULL)
        return -1;
    struct file *file = end->file;
    long result;
    if (!end->reads) {
        result = fails(EBADF);
        touch(file, false);
    } else if (file->kind == EVENT ? file->count > 0 : file->size > 0) {
        result = take_bytes(file, bytes, size, site);
    } else {
        touch(file, false);
        bool over = file->kind == PIPE && file->writers == 0;
        if (over)
            acquire(file);
        result = over ? 0 : fails(EAGAIN);
    }
    leave(&call);
    return result;
}

static long write_at(int descriptor, const void *bytes, size_t size, Site site)
{
    if (descriptor < 0)
        return fails(EBADF); /* never one, whatever others do: no step */
    struct call call = {.descriptor = descriptor, .possible = writable, .size = size};
    if (size >= sizeof call.value)
        memcpy(&call.value, bytes, sizeof call.value);
    access_step(bytes, size, PLAIN_READ, "read", site);
    struct end *end = enter(&call, "write to", site);
    if (end == NULL)
        return -1;
    struct file *file = end->out;
    long result = (long)size;
    if (!end->writes) {
        result = fails(EBADF);
        touch(file, false);
    } else if (file->kind == PIPE && file->readers == 0) {
        touch(file, false);
        acquire(file);
        result = fails(EPIPE);
        broken_pipe();
    } else if (!writable(end, &call)) {
        touch(file, false);
        result = fails(EAGAIN);
    } else {
        touch(file, true);
        release_again(file);
        if (file->kind == EVENT) {
            file->count += call.value;
        } else {
            if (file->size + size > BYTES)
                exceeded("bytes of a pipe");
            memcpy(file->bytes + file->size, bytes, size);
            file->size += size;
        }
    }
    leave(&call);
    return result;
}

long __wrap_read(int d, void *bytes, size_t size) { return read_at(d, bytes, size, HERE); }
long __wrap_write(int d, const void *bytes, size_t size) { return write_at(d, bytes, size, HERE); }

static int pipe_at(int ends[2], int flags, Site site)
{
    announce((struct operation){.name = "open", .site = site});
    touch(files, true);
    struct file *file = file_make(PIPE);
    int both[2];
    for (int i = 0; i < 2; i++)
        both[i] = descriptor_take(end_make(file, i == 0, i == 1, flags & O_NONBLOCK));
    access_quietly(ends, sizeof both, PLAIN_WRITE, site);
    memcpy(ends, both, sizeof both);
    return 0;
}

int __wrap_pipe(int ends[2]) { return pipe_at(ends, 0, HERE); }
int __wrap_pipe2(int ends[2], int flags) { return pipe_at(ends, flags, HERE); }

int __wrap_eventfd(unsigned count, int flags)
{
    announce((struct operation){.name = "open", .site = HERE});
    touch(files, true);
    struct file *file = file_make(EVENT);
    file->count = count;
    return descriptor_take(end_make(file, true, true, flags & O_NONBLOCK));
}

int __wrap_dup(int descriptor)
{
    announce((struct operation){.name = "open", .site = HERE});
    uses(descriptor, HERE);
    struct end *end = end_of(descriptor);
    touch(files, end != NULL);
    return end == NULL ? fails(EBADF) : descriptor_take(end);
}

int __wrap_close(int descriptor)
{
    announce((struct operation){.name = "close",
                                .outcomes = ways_to_close,
                                .argument = descriptor,
                                .site = HERE,
                                .cancellation_point = true});
    if (descriptor >= 0 && descriptor < DESCRIPTORS)
        race_with_close(descriptor, PLAIN_WRITE, HERE);
    struct end *end = end_of(descriptor);
    touch(files, end != NULL);
    if (end == NULL)
        return fails(EBADF);
    waiters_decide(descriptor, true);
    touch(end->file, true);
    touch(end->out, true);
    files->table[descriptor] = NULL;
    end_leave(end);
    return 0;
}

static short found(const struct end *end, short events)
{
    const struct file *file = end->file;
    short ready = 0;
    if (file->kind == EVENT)
        return (short)((file->count > 0 ? POLLIN : 0) | (file->count < UINT64_MAX - 1 ? POLLOUT : 0)) & events;
    if (end->reads)
        ready |= (file->size > 0 ? POLLIN : 0) | (file->writers == 0 ? POLLHUP : 0);
    if (end->writes)
        ready |= POLLOUT | (file->readers == 0 ? POLLERR : 0);
    return ready & (events | POLLHUP | POLLERR);
}

static bool any_found(const struct end *end, const struct call *call)
{
    return found(end, call->events) != 0;
}

/* One descriptor: what programs of the generator poll. */
int __wrap_poll(struct pollfd *polled, nfds_t count, int milliseconds)
{
    if (count != 1)
        exceeded("polled descriptors");
    access_step(polled, sizeof *polled, PLAIN_READ, "read", HERE);
    struct call call = {.descriptor = polled->fd,
                        .possible = any_found,
                        .events = polled->events,
                        .never_blocks = milliseconds == 0,
                        .timed = milliseconds > 0,
                        .is_poll = true};
    struct end *end = enter(&call, "poll", HERE);
    short result = POLLNVAL;
    if (self->interrupted)
        return -1;
    if (end != NULL) {
        touch(end->file, false);
        result = found(end, polled->events);
        if (result != 0)
            acquire(end->file);
        else if (call.timed)
            timed_out(HERE);
    }
    leave(&call);
    access_quietly(&polled->revents, sizeof polled->revents, PLAIN_WRITE, HERE);
    polled->revents = result;
    return result != 0;
}

static int flags_at(int descriptor, int command, int flags, Site site)
{
    bool sets = command == F_SETFL;
    if (!sets && command != F_GETFL)
        exceeded("commands of fcntl");
    announce((struct operation){.name = sets ? "change" : "poll",
                                .outcomes = sets && flags & O_NONBLOCK ? ways_to_unblock : NULL,
                                .argument = descriptor,
                                .site = site});
    uses(descriptor, site);
    struct end *end = end_of(descriptor);
    if (end == NULL) {
        touch(files, false);
        return fails(EBADF);
    }
    touch(end->file, sets);
    if (!sets)
        return (end->nonblocking ? O_NONBLOCK : 0) | (end->writes ? end->reads ? O_RDWR : O_WRONLY : O_RDONLY);
    waiters_decide(descriptor, false);
    end->nonblocking = flags & O_NONBLOCK;
    return 0;
}

int __wrap_fcntl(int descriptor, int command, ...)
{
    va_list more;
    va_start(more, command);
    int flags = va_arg(more, int);
    va_end(more);
    return flags_at(descriptor, command, flags, HERE);
}

/* Sockets. Which names there are, and which of them listen, is one object. */
static const void *names(void)
{
    return (const char *)files + 1;
}

static const char *name_in(const struct sockaddr *address)
{
    return ((const struct sockaddr_un *)address)->sun_path + 1; /* abstract */
}

static struct file *file_named(const char *name)
{
    for (int i = 0; i < files->file_count; i++)
        if (files->files[i].kind == SOCKET && strcmp(files->files[i].name, name) == 0)
            return &files->files[i];
    return NULL;
}

int socket(int domain, int type, int protocol)
{
    (void)protocol;
    if (domain != AF_UNIX || type != SOCK_STREAM)
        exceeded("kinds of sockets");
    announce((struct operation){.name = "open", .site = HERE});
    touch(files, true);
    return descriptor_take(end_make(file_make(SOCKET), true, true, false));
}

static struct file *socket_step(int descriptor, Site site)
{
    announce((struct operation){.name = "change", .site = site});
    uses(descriptor, site);
    struct end *end = end_of(descriptor);
    if (end == NULL)
        exceeded("closed sockets");
    touch(end->file, true);
    touch(names(), true);
    return end->file;
}

int bind(int descriptor, const struct sockaddr *address, socklen_t size)
{
    (void)size;
    struct file *file = socket_step(descriptor, HERE);
    if (file_named(name_in(address)) != NULL)
        exceeded("names of sockets");
    strcpy(file->name, name_in(address));
    release_again(names());
    return 0;
}

int listen(int descriptor, int backlog)
{
    struct file *file = socket_step(descriptor, HERE);
    file->listens = true;
    file->backlog = backlog;
    release_again(file);
    return 0;
}

static bool can_accept(const struct end *end, const struct call *call)
{
    (void)call;
    return !end->file->listens || end->file->waiting_count > 0;
}

int accept(int descriptor, struct sockaddr *address, socklen_t *size)
{
    struct call call = {.descriptor = descriptor, .possible = can_accept};
    if (address != NULL || size != NULL)
        exceeded("addresses of sockets");
    struct end *end = enter(&call, "accept from", HERE);
    if (end == NULL)
        return -1;
    struct file *file = end->file;
    int result;
    if (!file->listens || file->waiting_count == 0) {
        touch(file, false);
        result = fails(file->listens ? EAGAIN : EINVAL);
    } else {
        touch(file, true);
        acquire(file);
        touch(files, true);
        result = descriptor_take(file->waiting[0]);
        file->waiting_count--;
        memmove(file->waiting, file->waiting + 1, (size_t)file->waiting_count * sizeof file->waiting[0]);
    }
    leave(&call);
    return result;
}

static bool can_connect(const struct end *end, const struct call *call)
{
    const struct file *listener = file_named(call->name);
    return end->file->kind != SOCKET || listener == NULL || !listener->listens
           || listener->waiting_count <= listener->backlog;
}

/* The client has one queue to read from and another to write to, and so has the end that accept() gives out. */
static void join_ends(struct end *client, struct file *listener)
{
    struct file *there = file_make(PIPE), *back = file_make(PIPE);
    struct end *server = end_make(there, true, false, false);
    server->out = back;
    server->writes = true;
    client->file = back;
    client->out = there;
    there->writers = back->readers = back->writers = 1;
    if (listener->waiting_count == WAITING)
        exceeded("waiting connections");
    listener->waiting[listener->waiting_count++] = server;
}

int connect(int descriptor, const struct sockaddr *address, socklen_t size)
{
    (void)size;
    struct call call = {.descriptor = descriptor, .possible = can_connect, .name = name_in(address)};
    struct end *end = enter(&call, "connect to", HERE);
    if (end == NULL)
        return -1;
    struct file *listener = file_named(call.name);
    int result = 0;
    touch(names(), false);
    if (end->file->kind != SOCKET || listener == NULL || !listener->listens || !can_connect(end, &call)) {
        touch(end->file, false);
        result = fails(end->file->kind != SOCKET ? EISCONN : listener == NULL || !listener->listens ? ECONNREFUSED : EAGAIN);
    } else {
        touch(end->file, true);
        touch(listener, true);
        release_again(listener);
        join_ends(end, listener);
    }
    leave(&call);
    return result;
}
