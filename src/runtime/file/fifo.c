/* Pipes with names: what open does with a path that leads to one. The kernel keeps the name; what
 * is written there stays in the program, so the other end is opened by a thread of it, too.
 *
 * To open is one step, and another one if it has to wait for the other end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/file/channel.h"
#include "runtime/file/file_calls.h"
#include "runtime/memory/api.h"

enum { FIFOS_MAX = 64 };

/* The program's state. The place of one depends on when it was made, not on its path, which may be
 * a random one: so it is the same in every execution. */
static struct fifo {
    struct channel channel;
    uint64_t device, inode; /* 0: its name is gone */
} fifos[FIFOS_MAX];

static bool is_used(const struct fifo *fifo)
{
    return fifo->inode != 0 || fifo->channel.readers + fifo->channel.writers > 0;
}

static struct fifo *find(const struct stat *status)
{
    for (int i = 0; i < FIFOS_MAX; i++)
        if (fifos[i].inode == status->st_ino && fifos[i].device == status->st_dev)
            return &fifos[i];
    return NULL;
}

static struct fifo *add(const struct stat *status, uintptr_t site)
{
    for (int i = 0; i < FIFOS_MAX; i++) {
        if (is_used(&fifos[i]))
            continue;
        fifos[i] = (struct fifo){.device = status->st_dev, .inode = status->st_ino};
        fifos[i].channel.packets_max = PIPE_PAGES;
        return &fifos[i];
    }
    refuse_call("open", "more than 64 pipes with names are not modelled; test with fewer", site);
}

static bool is_fifo(int folder, const char *path, int flags, struct stat *status)
{
    long error = os_call(SYS_newfstatat, folder, (long)path, (long)status, flags, 0, 0);
    return error == 0 && S_ISFIFO(status->st_mode);
}

static bool may_open(int folder, const char *path, int flags)
{
    int access = flags & O_ACCMODE;
    int wanted = access == O_RDONLY ? R_OK : access == O_WRONLY ? W_OK : R_OK | W_OK;
    return os_call(SYS_faccessat, folder, (long)path, wanted, 0, 0, 0) == 0;
}

static struct channel *channel_of(const struct file *file)
{
    return (struct channel *)file->in; /* its first member */
}

static bool reader_is_met(const struct file *file, const struct file_wait *wait)
{
    const struct channel *channel = channel_of(file);
    return channel->writers > 0 || channel->writers_ever != wait->met;
}

static bool writer_is_met(const struct file *file, const struct file_wait *wait)
{
    const struct channel *channel = channel_of(file);
    return channel->readers > 0 || channel->readers_ever != wait->met;
}

/* In Linux, too, one end that comes and goes is enough. */
static int meet(struct file *file, int descriptor, const struct local *local)
{
    struct channel *channel = channel_of(file);
    bool reads = (file->flags & O_ACCMODE) == O_RDONLY;
    struct file_wait wait = {.descriptor = -1,
                             .inside = true,
                             .blocks = true,
                             .file = file,
                             .deadline = FILE_NEVER,
                             .can = reads ? reader_is_met : writer_is_met,
                             .met = reads ? channel->writers_ever : channel->readers_ever,
                             .opened = descriptor + 1,
                             .local = local};
    if (wait.can(file, &wait)) { /* the other end came first, as if this call had waited for it */
        source_acquire(&channel->source);
        return descriptor;
    }
    file->inside++;
    if (!file_step(&wait, reads ? OP_FILE_READ : OP_FILE_WRITE, &channel->source)) {
        file_unopen(descriptor);
        return file_fails(wait.error);
    }
    source_look(&channel->source);
    source_acquire(&channel->source);
    file_step_done(&wait);
    return descriptor;
}

static int open_end(struct fifo *fifo, const char *path, int flags, const struct local *local)
{
    struct channel *channel = &fifo->channel;
    int access = flags & O_ACCMODE;
    announce_on(OP_FILE_OPEN, object_number(&channel->source), local->site);
    api_name(&channel->source, sizeof channel->source, path);
    if (access == O_WRONLY && flags & O_NONBLOCK && channel->readers == 0) {
        source_look(&channel->source);
        step_failed();
        return file_fails(ENXIO);
    }
    struct file *file = pipe_end_make(channel, flags, local->site);
    int descriptor = file_open_now(file, flags & O_CLOEXEC);
    if (descriptor < 0)
        return file_fails(-descriptor);
    channel->readers += access != O_WRONLY;
    channel->readers_ever += access != O_WRONLY;
    channel->writers += access != O_RDONLY;
    channel->writers_ever += access != O_RDONLY;
    source_arrive(&channel->source);
    source_leave(&channel->source);
    source_release(&channel->source);
    return flags & O_NONBLOCK || access == O_RDWR ? descriptor : meet(file, descriptor, local);
}

int fifo_made(int folder, const char *path, int result, uintptr_t site)
{
    struct stat status;
    if (result == 0 && is_fifo(folder, path, 0, &status) && find(&status) == NULL)
        add(&status, site);
    return result;
}

bool fifo_open(int folder, const char *path, int flags, int *made, const struct local *local)
{
    struct stat status;
    if (flags & O_PATH || (flags & O_CREAT && flags & O_EXCL) ||
        !is_fifo(folder, path, flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0, &status))
        return false;
    if (!may_open(folder, path, flags))
        return false; /* the kernel says why */
    struct fifo *fifo = find(&status);
    if (fifo == NULL)
        fifo = add(&status, local->site);
    *made = open_end(fifo, path, flags, local);
    return true;
}

static bool has(const char *mode, char letter)
{
    while (*mode != 0 && *mode != letter)
        mode++;
    return *mode == letter;
}

bool fifo_open_stream(const char *path, const char *mode, void **made, const struct local *local)
{
    int descriptor, flags = has(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    if (mode[0] != 'r' && mode[0] != 'w' && mode[0] != 'a')
        return false; /* libc says so */
    if (has(mode, 'e'))
        flags |= O_CLOEXEC;
    if (!fifo_open(AT_FDCWD, path, flags, &descriptor, local))
        return false;
    *made = descriptor < 0 ? NULL : file_as_stream(descriptor, mode);
    return true;
}

void fifo_refuse(const char *path, const char *call, uintptr_t site)
{
    struct stat status;
    if (is_fifo(AT_FDCWD, path, 0, &status))
        refuse_call(call, "not modelled for a pipe with a name; open it by open or fopen", site);
}

void fifo_unlink(int folder, const char *path)
{
    struct stat status;
    struct fifo *fifo = NULL;
    if (is_fifo(folder, path, AT_SYMLINK_NOFOLLOW, &status) && status.st_nlink == 1)
        fifo = find(&status);
    if (fifo != NULL)
        fifo->inode = 0; /* the kernel may give the number to another one */
}
