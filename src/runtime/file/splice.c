/* splice, tee and vmsplice: bytes from one file to another, of which at least one is a pipe of
 * ours. What can be moved at once is moved in one step, possible when there is something to take
 * and room for some of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/channel.h"
#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/world.h"

enum { AT_ONCE = PIPE_PAGES * CHANNEL_PAGE };
enum { FLAGS = SPLICE_F_MOVE | SPLICE_F_NONBLOCK | SPLICE_F_MORE | SPLICE_F_GIFT };

struct splice {
    struct file_wait
        wait; /* for the one to take from; if that is the kernel's, for the other one */
    int from, to;
    char *bytes;
    size_t size;
    bool keeps;     /* what is copied stays where it is */
    bool both_ours; /* no file of the kernel's takes part */
};

static bool can_take(const struct file *file)
{
    if (file->kind->can_read != NULL)
        return file->kind->can_read(file);
    return file_ready(file) & (POLLIN | POLLHUP | POLLERR);
}

/* A pipe gets pages of their own by these calls. */
static void keep_apart(const struct file *file, bool apart)
{
    if (pipe_channel(file) != NULL)
        pipe_channel(file)->apart = apart;
}

static bool has_room(const struct file *file)
{
    const struct transfer one = {.size = 1};
    keep_apart(file, true);
    bool room = file->kind->can_write(file, &one);
    keep_apart(file, false);
    return room;
}

/* The file that the call holds; NULL: a file of the kernel's, or one that was closed. */
static struct file *file_in(const struct splice *splice, int descriptor)
{
    if (!splice->wait.inside)
        return file_of(descriptor);
    return descriptor == splice->wait.descriptor ? splice->wait.file : file_also(&splice->wait);
}

static bool can_move(const struct file *file, const struct file_wait *wait)
{
    const struct splice *splice = (const struct splice *)wait;
    const struct file *from = file_in(splice, splice->from), *to = file_in(splice, splice->to);
    if (splice->both_ours && (from == NULL || to == NULL))
        return true; /* to find that it is closed */
    return (from == NULL || can_take(from)) && (to == NULL || has_room(to));
}

static struct transfer transfer_of(struct iovec *part, const struct splice *splice, size_t size,
                                   int flags)
{
    *part = (struct iovec){splice->bytes, size};
    return (struct transfer){
        .parts = part, .count = 1, .size = size, .flags = flags, .site = splice->wait.local->site};
}

static long take(const struct splice *splice, size_t size, int flags)
{
    struct file *from = file_in(splice, splice->from);
    struct iovec part;
    struct transfer transfer = transfer_of(&part, splice, size, flags);
    return from->kind->read(from, &transfer);
}

/* As much as there is room for: a pipe takes less than a page as a whole only. */
static long give(struct file *to, struct transfer transfer)
{
    keep_apart(to, true);
    long given = to->kind->write(to, &transfer);
    while (given == -EAGAIN && transfer.size > 1) {
        transfer.size /= 2;
        given = to->kind->write(to, &transfer);
    }
    keep_apart(to, false);
    return given;
}

/* To a file of the kernel's: where that is, or at this place. */
static long give_to_kernel(const struct splice *splice, long size, const long *offset)
{
    return offset != NULL
               ? os_call(SYS_pwrite64, splice->to, (long)splice->bytes, size, *offset, 0, 0)
               : os_call(SYS_write, splice->to, (long)splice->bytes, size, 0, 0, 0);
}

static long move(const struct splice *splice, const long *offset)
{
    struct file *to = file_in(splice, splice->to);
    struct iovec part;
    long got = take(splice, splice->size, MSG_PEEK);
    if (got <= 0)
        return got;
    long given = to == NULL ? give_to_kernel(splice, got, offset)
                            : give(to, transfer_of(&part, splice, (size_t)got, 0));
    if (given > 0 && !splice->keeps)
        take(splice, (size_t)given, 0);
    return given;
}

/* From a file of the kernel's, whose place is its own. */
static long move_from_kernel(const struct splice *splice, const long *offset)
{
    struct iovec part;
    long start = offset != NULL ? *offset : os_call(SYS_lseek, splice->from, 0, SEEK_CUR, 0, 0, 0);
    long got =
        os_call(SYS_pread64, splice->from, (long)splice->bytes, (long)splice->size, start, 0, 0);
    if (got <= 0)
        return got;
    long given = give(file_in(splice, splice->to), transfer_of(&part, splice, (size_t)got, 0));
    if (given > 0 && offset == NULL)
        os_call(SYS_lseek, splice->from, start + given, SEEK_SET, 0, 0, 0);
    return given;
}

static long finish(struct splice *splice, long result)
{
    if (result == -EAGAIN || result == 0)
        file_step_failed(&splice->wait);
    file_step_done(&splice->wait);
    if (result == -EPIPE)
        file_broken(0, splice->wait.local->site);
    return result < 0 ? file_fails((int)-result) : result;
}

/* The offset is that of the one that is no pipe. */
static long carry_out(int from, const long *offset, int to, size_t size, unsigned flags, bool keeps,
                      const struct local *local)
{
    size = size < AT_ONCE ? size : AT_ONCE;
    struct splice splice = {.from = from,
                            .to = to,
                            .size = size,
                            .keeps = keeps,
                            .both_ours = file_of(from) != NULL && file_of(to) != NULL};
    splice.bytes = file_memory(size, local->site);
    splice.wait = (struct file_wait){.descriptor = file_of(from) != NULL ? from : to,
                                     .blocks = !(flags & SPLICE_F_NONBLOCK),
                                     .by_flag = true,
                                     .also = (file_of(from) != NULL ? to : from) + 1,
                                     .deadline = FILE_NEVER,
                                     .can = can_move,
                                     .local = local};
    bool ours = file_of(from) != NULL;
    struct file *first = file_of(splice.wait.descriptor);
    step_is_unreduced(UNREDUCED_SPLICES); /* it waits for two */
    if (!file_step(&splice.wait, ours ? OP_FILE_READ : OP_FILE_WRITE,
                   ours ? first->in : first->out))
        return file_fails(splice.wait.error);
    struct file *target = file_in(&splice, to);
    if ((ours && file_in(&splice, from) == NULL) || (target == NULL && !world_has_descriptor(to)))
        return finish(&splice, -EBADF);
    file_look(splice.wait.file, ours ? POLLIN : POLLOUT);
    if (ours && target != NULL)
        file_look(target, POLLOUT);
    world_descriptors();
    return finish(&splice, ours ? move(&splice, offset) : move_from_kernel(&splice, offset));
}

static bool is_pipe(int descriptor)
{
    return file_of(descriptor) != NULL && pipe_channel(file_of(descriptor)) != NULL;
}

/* The kernel's pipes and the like could block all threads. */
static bool is_plain(int descriptor)
{
    struct stat status;
    return os_call(SYS_fstat, descriptor, (long)&status, 0, 0, 0, 0) == 0 &&
           S_ISREG(status.st_mode);
}

static bool is_open_for(int descriptor, int other)
{
    const struct file *file = file_of(descriptor);
    int flags =
        file != NULL ? file->flags : (int)os_call(SYS_fcntl, descriptor, F_GETFL, 0, 0, 0, 0);
    return flags >= 0 && (flags & O_ACCMODE) != other;
}

static void refuse_others(int descriptor, const char *call, uintptr_t site)
{
    const struct file *file = file_of(descriptor);
    if (file == NULL ? !is_plain(descriptor) : !is_pipe(descriptor) && file->kind != &file_socket)
        refuse_call(call,
                    "modelled between pipes, sockets and plain files only; read and write instead",
                    site);
}

long file_splice(int from, long *from_offset, int to, long *to_offset, size_t size, unsigned flags,
                 const struct local *local)
{
    if (flags & ~(unsigned)FLAGS)
        return file_fails(EINVAL);
    if (size == 0)
        return 0;
    if (!is_open_for(from, O_WRONLY) || !is_open_for(to, O_RDONLY))
        return file_fails(EBADF);
    if ((is_pipe(from) && from_offset != NULL) || (is_pipe(to) && to_offset != NULL))
        return file_fails(ESPIPE);
    bool same =
        is_pipe(from) && is_pipe(to) && pipe_channel(file_of(from)) == pipe_channel(file_of(to));
    if ((!is_pipe(from) && !is_pipe(to)) || same)
        return file_fails(EINVAL);
    refuse_others(from, "splice", local->site);
    refuse_others(to, "splice", local->site);
    if (to_offset != NULL && file_of(to) != NULL)
        return file_fails(EINVAL); /* a socket has no places */
    long *offset = from_offset != NULL ? from_offset : to_offset;
    long moved = carry_out(from, offset, to, size, flags, false, local);
    if (moved > 0 && offset != NULL) {
        memory_access(offset, sizeof *offset, true, local->site);
        *offset += moved;
    }
    return moved;
}

long file_tee(int from, int to, size_t size, unsigned flags, const struct local *local)
{
    if (flags & ~(unsigned)FLAGS)
        return file_fails(EINVAL);
    if (size == 0)
        return 0;
    if (!is_open_for(from, O_WRONLY) || !is_open_for(to, O_RDONLY))
        return file_fails(EBADF);
    if (!is_pipe(from) || !is_pipe(to) || pipe_channel(file_of(from)) == pipe_channel(file_of(to)))
        return file_fails(EINVAL);
    return carry_out(from, NULL, to, size, flags, true, local);
}

static bool has_room_for_some(const struct file *file, const struct file_wait *wait)
{
    return has_room(file);
}

/* Out of the program's memory; what does not fit at once is left. Into it, as readv. */
long file_splice_memory(int descriptor, const struct iovec *parts, size_t count, unsigned flags,
                        const struct local *local)
{
    struct file *file = file_of(descriptor);
    if (flags & ~(unsigned)FLAGS || count > IOV_MAX)
        return file_fails(EINVAL);
    if (!is_pipe(descriptor))
        return file_fails(EBADF);
    if ((file->flags & O_ACCMODE) == O_RDONLY)
        return file_read_parts(descriptor, parts, (int)count, local);
    struct transfer transfer = {.parts = parts, .count = (uint32_t)count, .site = local->site};
    for (size_t i = 0; i < count; i++) {
        if (parts[i].iov_len > 0)
            memory_access(parts[i].iov_base, parts[i].iov_len, false, local->site);
        transfer.size += parts[i].iov_len;
    }
    if (transfer.size == 0)
        return 0;
    struct splice splice = {.wait = {.descriptor = descriptor,
                                     .blocks = !(flags & SPLICE_F_NONBLOCK),
                                     .by_flag = true,
                                     .deadline = FILE_NEVER,
                                     .can = has_room_for_some,
                                     .local = local}};
    if (!file_step(&splice.wait, OP_FILE_WRITE, file->out))
        return file_fails(splice.wait.error);
    file_look(splice.wait.file, POLLOUT);
    return finish(&splice, give(splice.wait.file, transfer));
}
