/* Files that live in our own memory: pipes, eventfds, timerfds, signalfds, sockets, epolls.
 *
 * The kernel keeps a placeholder behind each of their descriptors, so numbers, dup and the flags of
 * descriptors are its own business; what is in the files is ours, so that reset undoes it and a
 * thread that has to wait does so in the scheduler. A new kind is one file with a struct
 * file_kind. */
#ifndef RUNTIME_FILE_FILE_H
#define RUNTIME_FILE_FILE_H

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/mix.h"
#include "runtime/engine/runtime.h"
#include "runtime/time/timeout.h"

/* Something whose changes can let a call go on: the object of an operation. */
struct source {
    uint32_t changes;
    uint32_t arrivals, departures; /* those that an EPOLLET of EPOLLIN, of EPOLLOUT reports */
};

struct address {
    uint16_t family; /* AF_INET6 stands for both: IPv4 is mapped; 0: none */
    uint16_t port;
    uint8_t ip[16];
    uint8_t size; /* AF_UNIX: of the name, without the zero at its end; 0: none */
    char name[108];
};

struct transfer { /* bytes on their way between a file and the program's memory */
    const struct iovec *parts;
    uint32_t count;
    size_t size; /* of all parts */
    size_t done;
    int flags;              /* flags of recv and send: MSG_PEEK and so on */
    bool cut;               /* a datagram was longer */
    size_t whole;           /* size of the datagram before it was cut */
    struct address address; /* receiver or sender */
    bool unseen;            /* to a buffer of libc's, which guards it: no access of the program */
    bool message;           /* a message of a message queue */
    uint32_t priority;      /* of that message */
    uintptr_t site;
};

struct still;

struct file {
    const struct file_kind *kind;
    uint32_t descriptors; /* that mean it */
    uint32_t inside;      /* calls that hold it although its descriptor is gone */
    bool closed;
    int flags;               /* O_NONBLOCK and how it may be used */
    struct source *in, *out; /* what reading and writing wait for; NULL: nothing */
};

struct file_kind {
    const char *name;
    uint32_t (*ready)(const struct file *file); /* POLLIN, POLLOUT and so on */
    bool (*can_read)(const struct file *file);  /* without waiting; NULL: by ready */
    bool (*can_write)(const struct file *file, const struct transfer *transfer); /* the same */
    /* In the step itself. A negative errno; -EAGAIN, and nothing happened: it would have to
     * wait. */
    long (*read)(struct file *file, struct transfer *transfer);
    long (*write)(struct file *file, struct transfer *transfer);
    void (*close)(struct file *file); /* nobody can use it any more; NULL: nothing to do */
    uint64_t (*deadline)(
        const struct file *file); /* when it becomes ready by itself; NULL: never */
    /* Visits all that `ready` depends on; NULL: in, and out where POLLOUT is asked for. */
    void (*visit)(const struct file *file, uint32_t events, void (*visit)(const struct source *));
    /* Hides what the program cannot see or what counts from now on, but for in and out; a hash of
     * what is not in its memory. NULL: no state with such a file is like an earlier one, once it is
     * used. */
    uint64_t (*still)(struct file *file, struct still *still);
    /* A real one in its place, for another process; NULL: it cannot be shared, but for ends of
     * pipes. */
    int (*inherit)(const struct file *file);
};

/* A call in flight, as the scheduler sees it: thread->mutex points here. */
struct file_wait {
    int descriptor;
    bool inside;   /* it holds what it found whatever becomes of the descriptor */
    bool blocks;   /* otherwise it fails where it would have to wait */
    bool by_flag;  /* O_NONBLOCK counts, too, as it is when the step is taken */
    int also;      /* the call needs that descriptor, too, plus one; 0: none */
    bool unblocks; /* the step sets O_NONBLOCK: which waiting calls have begun is a choice */
    bool awaits;   /* it may be part of a loop that waits for a change */
    int error;     /* why file_step failed: EBADF, or EINTR */
    struct file *file, *also_file; /* what it holds; `also_file` only if it is inside */
    uint64_t deadline;             /* the call's own timeout; FILE_NEVER */
    bool (*can)(const struct file *file, const struct file_wait *wait);
    const struct transfer *transfer;
    uint32_t met;      /* ends that a pipe with a name had had before */
    int opened;        /* the call is the opening of that descriptor, plus one */
    struct file_look { /* poll and select look at several */
        int descriptor;
        short events, found;
        struct file *file;
    } * looks;
    uint32_t look_count;
    const struct local *local;
    thread_id thread;
};

/* The file that the second descriptor of a call leads to; NULL: none of ours. */
struct file *file_also(const struct file_wait *wait);

extern thread_id file_asking; /* for whom it is found out whether a file is ready */

/* Between the program's memory and ours. Noting the accesses can be a step of its own: a file is
 * done with before. */
void transfer_copy(struct transfer *transfer, void *bytes, size_t size, bool out);
void transfer_note(struct transfer *transfer, size_t size); /* writes of the next bytes */
void transfer_give(struct transfer *transfer, void *bytes, size_t size); /* both */

/* Descriptors. */
/* Memory in the calling thread's heap: its address names the object. */
void *file_memory(size_t size, uintptr_t site);
void *file_part_memory(size_t size, uintptr_t site); /* memory for parts that files share */
/* A step: gives the file, or two, to the lowest free descriptors. */
int file_open(struct file *file, bool close_on_exec, uintptr_t site);
int file_open_two(struct file *const files[2], int descriptors[2], bool close_on_exec,
                  uintptr_t site);
int file_open_now(struct file *file, bool close_on_exec); /* as part of another step */
void file_unopen(int descriptor);     /* undoes file_open before the program knows of it */
void file_release(struct file *file); /* closed, if nobody can use it */
void file_name(const struct source *source, const char *kind, int first, int second);

/* Operations. */
void source_touch(struct source *source);      /* the step changes it */
void source_arrive(struct source *source);     /* data arrives: readers have something new to see */
void source_leave(struct source *source);      /* data leaves: writers have something new to see */
void source_look(const struct source *source); /* the step only looks */
void source_release(struct source *source);    /* orders the step before later ones that acquire */
void source_acquire(struct source *source); /* orders the step after earlier ones that released */
/* Waits for the turn of an operation on what the descriptor means; false: it means nothing now, or
 * a signal handler has interrupted the call. */
bool file_step(struct file_wait *wait, enum op_kind kind, const struct source *object);
void file_step_done(struct file_wait *wait);
void file_step_failed(struct file_wait *wait); /* it would have had to wait */
/* The running step closes the descriptor, or sets O_NONBLOCK: each thread that waits for the file
 * is in its call already and stays there, or calls later. */
void file_decide_waiters(const struct file_wait *change);
/* A step that makes calls on the file return instead of wait, or no longer. */
int file_set_blocking(int descriptor, bool blocks, const struct local *local);
uint64_t file_deadline(const struct file *file);
uint32_t file_ready(const struct file *file);
void file_visit(const struct file *file, uint32_t events, void (*visit)(const struct source *));
void file_look(const struct file *file, uint32_t events); /* the step only looks at it */
void source_await(const struct source *source); /* a step that changes nothing has seen it, too */
bool file_blocks(const struct file *file, int flags); /* neither O_NONBLOCK nor MSG_DONTWAIT */
long file_read_step(struct file *file, int descriptor, struct transfer *transfer, uint64_t timeout,
                    const struct local *local);
long file_write_step(struct file *file, int descriptor, struct transfer *transfer, uint64_t timeout,
                     const struct local *local);

void file_broken(int flags, uintptr_t site); /* SIGPIPE, unless MSG_NOSIGNAL */

int pipe_bytes(const struct file *file); /* that can be read; -1: it is no pipe */
struct channel;
struct channel *pipe_channel(const struct file *file); /* NULL: it is no pipe */
struct file *pipe_end_make(struct channel *channel, int flags, uintptr_t site);
int pipe_size(struct file *file, long size); /* F_GETPIPE_SZ; F_SETPIPE_SZ where it is not -1 */

/* The object on which a step on a descriptor is announced: a part of its file. One that was closed,
 * of which `file` is NULL, is called what it was: whether it still is one shows in the step, not
 * before. */
const struct source *file_meant(const struct file *file, int descriptor, bool writes);
/* In the step: its class goes by the descriptor, whose file may be another one than when it was
 * announced. */
static inline void file_named_by(int descriptor)
{
    if (descriptor >= 0 && ex.me->object != NULL)
        ex.me->fact += mix((uint64_t)descriptor, 1) - ex.me->object->name;
}

extern struct source file_numbers; /* which descriptors are open */

extern const struct file_kind file_socket, file_epoll; /* whose calls are not for other kinds */

#endif
