/* eventfd: a counter of 64 bits; reading takes all of it, or one with EFD_SEMAPHORE. */
#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>

#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"

#define COUNT_MAX (UINT64_MAX - 1)

struct event {
    struct file file;
    struct source source;
    bool semaphore;
    uint64_t count;
};

static struct event *event_of(const struct file *file)
{
    return (struct event *)file;
}

static uint32_t event_ready(const struct file *file)
{
    uint64_t count = event_of(file)->count;
    return (count > 0 ? POLLIN | POLLRDNORM : 0) | (count < COUNT_MAX ? POLLOUT | POLLWRNORM : 0);
}

/* The number that a write adds; its bytes may lie in several parts. */
static uint64_t added(const struct transfer *transfer)
{
    uint64_t value = 0;
    size_t at = 0;
    for (uint32_t i = 0; i < transfer->count; i++)
        for (size_t k = 0; k < transfer->parts[i].iov_len && at < sizeof value; k++)
            ((char *)&value)[at++] = ((const char *)transfer->parts[i].iov_base)[k];
    return value;
}

static bool event_can_write(const struct file *file, const struct transfer *transfer)
{
    return transfer->size < sizeof(uint64_t) || added(transfer) == UINT64_MAX ||
           added(transfer) <= COUNT_MAX - event_of(file)->count;
}

static long event_read(struct file *file, struct transfer *transfer)
{
    struct event *event = event_of(file);
    if (transfer->size < sizeof(uint64_t))
        return -EINVAL;
    if (event->count == 0)
        return -EAGAIN;
    uint64_t value = event->semaphore ? 1 : event->count;
    event->count -= value;
    source_leave(&event->source);
    source_acquire(&event->source);
    transfer_give(transfer, &value, sizeof value);
    return sizeof value;
}

static long event_write(struct file *file, struct transfer *transfer)
{
    struct event *event = event_of(file);
    uint64_t value = added(transfer);
    if (transfer->size < sizeof value || value == UINT64_MAX)
        return -EINVAL;
    if (value > COUNT_MAX - event->count)
        return -EAGAIN;
    event->count += value;
    transfer->done = transfer->size;
    source_arrive(&event->source);
    source_release(&event->source);
    return sizeof value;
}

static uint64_t event_still(struct file *file, struct still *still)
{
    return 0;
}

static const struct file_kind kind_eventfd = {
    .name = "eventfd",
    .ready = event_ready,
    .can_write = event_can_write,
    .read = event_read,
    .write = event_write,
    .still = event_still,
};

int eventfd_open(unsigned start, int flags, uintptr_t site)
{
    if (flags & ~(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE))
        return file_fails(EINVAL);
    struct event *event = file_memory(sizeof *event, site);
    event->file.kind = &kind_eventfd;
    event->file.flags = O_RDWR | (flags & EFD_NONBLOCK);
    event->file.in = event->file.out = &event->source;
    event->semaphore = flags & EFD_SEMAPHORE;
    event->count = start;
    return file_open(&event->file, flags & EFD_CLOEXEC, site);
}
