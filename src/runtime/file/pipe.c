/* Pipes, with and without names: 65536 bytes unless F_SETPIPE_SZ says otherwise. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>

#include "runtime/engine/refuse.h"
#include "runtime/file/channel.h"
#include "runtime/file/file_calls.h"

enum { PIPE_SIZE_MAX = 1 << 20 };

struct pipe_end {
    struct file file;
    struct channel *channel;
    uint32_t writers_before; /* that the channel had had and lost when this end was opened */
};

static struct channel *channel_of(const struct file *file)
{
    return ((const struct pipe_end *)file)->channel;
}

static bool end_writes(const struct file *file)
{
    return (file->flags & O_ACCMODE) != O_RDONLY;
}

static bool end_reads(const struct file *file)
{
    return (file->flags & O_ACCMODE) != O_WRONLY;
}

static uint32_t pipe_ready(const struct file *file)
{
    const struct channel *channel = channel_of(file);
    bool had_writer = channel->writers_ever != ((const struct pipe_end *)file)->writers_before;
    uint32_t ready = 0;
    if (end_writes(file))
        ready |= (channel->packets < channel->packets_max ? POLLOUT | POLLWRNORM : 0) |
                 (channel->readers == 0 ? POLLERR : 0);
    if (end_reads(file))
        ready |= (channel->bytes > 0 ? POLLIN | POLLRDNORM : 0) |
                 (channel->writers == 0 && had_writer ? POLLHUP : 0);
    return ready;
}

static bool pipe_can_read(const struct file *file)
{
    const struct channel *channel = channel_of(file);
    return channel->bytes > 0 || channel->writers == 0;
}

/* Up to a page is written as a whole or not at all. */
static size_t fits(const struct channel *channel, const struct transfer *transfer)
{
    size_t size = transfer->size - transfer->done;
    size_t room = channel_room(channel, size);
    return transfer->size <= CHANNEL_PAGE && room < size ? 0 : room;
}

static bool pipe_can_write(const struct file *file, const struct transfer *transfer)
{
    const struct channel *channel = channel_of(file);
    return !end_writes(file) || channel->readers == 0 || fits(channel, transfer) > 0;
}

static long pipe_read(struct file *file, struct transfer *transfer)
{
    struct channel *channel = channel_of(file);
    if (!end_reads(file))
        return -EBADF;
    if (channel->bytes > 0) {
        channel_touch_taken(channel);
        source_acquire(&channel->source);
        return channel_take(channel, transfer);
    }
    if (channel->writers > 0)
        return -EAGAIN;
    source_acquire(&channel->source);
    return 0;
}

static long pipe_write(struct file *file, struct transfer *transfer)
{
    struct channel *channel = channel_of(file);
    if (!end_writes(file))
        return -EBADF;
    if (channel->readers == 0) {
        source_look(&channel->source);
        source_acquire(&channel->source);
        return -EPIPE;
    }
    size_t size = fits(channel, transfer);
    if (size == 0)
        return -EAGAIN;
    source_arrive(&channel->source);
    source_release(&channel->source);
    channel_put(channel, transfer, size);
    return (long)size;
}

static void pipe_close(struct file *file)
{
    struct channel *channel = channel_of(file);
    channel->writers -= end_writes(file);
    channel->readers -= end_reads(file);
    if (channel->writers == 0 && channel->readers == 0)
        channel_drain(channel);
    source_leave(&channel->source);
    source_arrive(&channel->source);
    source_release(&channel->source);
}

static uint64_t pipe_still(struct file *file, struct still *still)
{
    return channel_still(channel_of(file), still);
}

static const struct file_kind kind_pipe = {
    .name = "pipe",
    .ready = pipe_ready,
    .can_read = pipe_can_read,
    .can_write = pipe_can_write,
    .read = pipe_read,
    .write = pipe_write,
    .close = pipe_close,
    .still = pipe_still,
};

struct file *pipe_end_make(struct channel *channel, int flags, uintptr_t site)
{
    struct pipe_end *end = file_memory(sizeof *end, site);
    end->file.kind = &kind_pipe;
    end->file.flags = flags & (O_ACCMODE | O_NONBLOCK);
    end->file.in = end->file.out = &channel->source;
    end->channel = channel;
    end->writers_before = channel->writers_ever - (channel->writers > 0);
    return &end->file;
}

int pipe_open(int ends[2], int flags, uintptr_t site)
{
    if (flags & O_DIRECT)
        refuse_call("pipe2",
                    "pipes of packets (O_DIRECT) are not modelled; "
                    "use a pair of datagram sockets",
                    site);
    if (flags & ~(O_CLOEXEC | O_NONBLOCK))
        return file_fails(EINVAL);
    struct channel *channel = channel_make(false, PIPE_PAGES, site);
    struct file *files[2] = {pipe_end_make(channel, O_RDONLY | (flags & O_NONBLOCK), site),
                             pipe_end_make(channel, O_WRONLY | (flags & O_NONBLOCK), site)};
    return file_open_two(files, ends, flags & O_CLOEXEC, site);
}

struct channel *pipe_channel(const struct file *file)
{
    return file->kind == &kind_pipe ? channel_of(file) : NULL;
}

int pipe_bytes(const struct file *file)
{
    return file->kind == &kind_pipe ? (int)channel_of(file)->bytes : -1;
}

int pipe_size(struct file *file, long size)
{
    if (file->kind != &kind_pipe)
        return file_fails(EBADF);
    struct channel *channel = channel_of(file);
    if (size == -1)
        return (int)(channel->packets_max * CHANNEL_PAGE);
    if (size < 0 || size > PIPE_SIZE_MAX)
        return file_fails(size < 0 ? EINVAL : EPERM);
    uint32_t pages = 1;
    while ((long)pages * CHANNEL_PAGE < size)
        pages *= 2;
    if (pages < channel->packets)
        return file_fails(EBUSY);
    channel->packets_max = pages;
    return (int)(pages * CHANNEL_PAGE);
}
