/* signalfd: pending signals of a mask, as bytes. Which are pending differs from thread to thread:
 * its own, and those of the process. */
#include <errno.h>
#include <fcntl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/world.h"
#include "runtime/time/disposition.h"
#include "runtime/time/signal.h"

enum { AT_ONCE_MAX = 64 }; /* signals that one read takes */

struct signal_file {
    struct file file;
    uint64_t mask;
};

/* The program's state: put back with the rest. */
static struct source
    news; /* of all of them: Linux wakes the threads that wait for one by every signal */
static bool in_use;

static struct signal_file *signal_file_of(const struct file *file)
{
    return (struct signal_file *)file;
}

void signalfd_news(void)
{
    if (in_use)
        source_arrive(&news);
}

static uint32_t signal_file_ready(const struct file *file)
{
    uint64_t pending = ex.threads[file_asking].signals.pending | ex.signals.pending;
    return pending & signal_file_of(file)->mask ? POLLIN | POLLRDNORM : 0;
}

static struct signalfd_siginfo described(const siginfo_t *info)
{
    struct signalfd_siginfo out = {.ssi_signo = (uint32_t)info->si_signo,
                                   .ssi_errno = info->si_errno,
                                   .ssi_code = info->si_code};
    switch (info->si_code) {
    case SI_TIMER:
        out.ssi_tid = (uint32_t)info->si_timerid;
        out.ssi_overrun = (uint32_t)info->si_overrun;
        break;
    case SI_KERNEL:
        return out;
    default:
        out.ssi_pid = (uint32_t)info->si_pid;
        out.ssi_uid = info->si_uid;
    }
    if (info->si_signo == SIGCHLD && info->si_code > 0) {
        out.ssi_status = info->si_status;
    } else if (info->si_code == SI_TIMER || info->si_code == SI_QUEUE) {
        out.ssi_int = info->si_value.sival_int;
        out.ssi_ptr = (uintptr_t)info->si_value.sival_ptr;
    }
    return out;
}

static long signal_file_read(struct file *file, struct transfer *transfer)
{
    size_t most = transfer->size / sizeof(struct signalfd_siginfo), count = 0;
    most = most < AT_ONCE_MAX ? most : AT_ONCE_MAX;
    if (most == 0)
        return -EINVAL;
    struct signalfd_siginfo *all = execution_take(most * sizeof *all);
    siginfo_t info;
    while (count < most && signal_take(signal_file_of(file)->mask, &info))
        all[count++] = described(&info);
    if (count == 0)
        return -EAGAIN;
    source_touch(&news);
    transfer_give(transfer, all, count * sizeof *all);
    return (long)(count * sizeof *all);
}

/* A reader gets signals of its own process. */
static int signal_file_inherit(const struct file *file)
{
    return (int)os_call(SYS_signalfd4, -1, (long)&signal_file_of(file)->mask, sizeof(uint64_t),
                        file->flags & SFD_NONBLOCK, 0, 0);
}

static const struct file_kind kind_signalfd = {
    .name = "signalfd",
    .ready = signal_file_ready,
    .read = signal_file_read,
    .inherit = signal_file_inherit,
};

static int change_mask(int descriptor, uint64_t mask, const struct local *local)
{
    struct file_wait wait = {.descriptor = descriptor, .deadline = FILE_NEVER, .local = local};
    struct file *file = file_of(descriptor);
    if (file == NULL || file->kind != &kind_signalfd)
        return file_fails(file == NULL && !world_has_descriptor(descriptor) ? EBADF : EINVAL);
    if (!file_step(&wait, OP_FILE_CHANGE, file->in))
        return file_fails(EBADF);
    signal_file_of(wait.file)->mask = mask;
    source_arrive(&news);
    return descriptor;
}

int signalfd_set(int descriptor, const void *set, int flags, const struct local *local)
{
    if (flags & ~(SFD_CLOEXEC | SFD_NONBLOCK))
        return file_fails(EINVAL);
    memory_access((void *)set, sizeof(uint64_t), false, local->site);
    uint64_t mask = *(const uint64_t *)set & SIGNALS_BLOCKABLE;
    if (descriptor != -1)
        return change_mask(descriptor, mask, local);
    struct signal_file *new = file_memory(sizeof *new, local->site);
    new->file.kind = &kind_signalfd;
    new->file.flags = O_RDWR | (flags & SFD_NONBLOCK);
    new->file.in = &news;
    new->mask = mask;
    in_use = true;
    return file_open(&new->file, flags & SFD_CLOEXEC, local->site);
}
