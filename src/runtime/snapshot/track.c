/* Two ways to see the first write to a page. userfaultfd: a thread of ours sleeps until a protected
 * page is written, by the program or by the kernel for it. mprotect: the program gets a signal; a
 * system call that writes to a protected page fails instead, so the first execution runs
 * unprotected and what it wrote is found by comparison. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/fiber.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/stranger.h"
#include "runtime/snapshot/snapshot.h"

#ifndef UFFD_FEATURE_WP_UNPOPULATED
#define UFFD_FEATURE_WP_UNPOPULATED (1 << 13)
#endif
enum { MONITOR_SIZE = 1 << 16 };

static void write_protect(char *page, size_t size, bool on)
{
    struct uffdio_writeprotect what = {.range = {.start = (uint64_t)page, .len = size},
                                       .mode = on ? UFFDIO_WRITEPROTECT_MODE_WP : 0};
    long error = os_call(SYS_ioctl, snapshots.fault_descriptor, (long)UFFDIO_WRITEPROTECT,
                         (long)&what, 0, 0, 0);
    if (error != 0)
        give_up("userfaultfd cannot protect a page");
}

/* Runs on a kernel thread without libc: no TLS, no errno. */
static void monitor(void)
{
    for (;;) {
        struct uffd_msg message;
        long size = os_read(snapshots.fault_descriptor, &message, sizeof message);
        if (size != sizeof message)
            continue;
        if (message.event == UFFD_EVENT_PAGEFAULT)
            snapshot_fault((void *)message.arg.pagefault.address);
    }
}

static bool userfault_open(void)
{
    int fd = (int)os_call(SYS_userfaultfd, O_CLOEXEC, 0, 0, 0, 0, 0);
    if (fd < 0)
        return false;
    struct uffdio_api api = {
        .api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP | UFFD_FEATURE_WP_UNPOPULATED};
    if (os_call(SYS_ioctl, fd, (long)UFFDIO_API, (long)&api, 0, 0, 0) != 0) {
        os_close(fd);
        return false;
    }
    snapshots.fault_descriptor = descriptor_raise(fd);
    char *stack = os_map(MONITOR_ADDRESS, MONITOR_SIZE);
    uint64_t all = ~0ul, old;
    os_call(SYS_rt_sigprocmask, 2 /* set */, (long)&all, (long)&old, 8, 0, 0);
    long thread = stack == NULL ? -1
                                : fiber_clone(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                                                  CLONE_THREAD | CLONE_SYSVSEM,
                                              stack + MONITOR_SIZE - 64, monitor);
    os_call(SYS_rt_sigprocmask, 2, (long)&old, 0, 8, 0, 0);
    if (thread < 0)
        return false;
    rt.carriers.monitor_count = 1;
    stranger_is_ours(thread);
    return true;
}

bool track_open(enum tracking wanted)
{
    if (wanted != TRACKING_PROTECT && userfault_open()) {
        snapshots.tracking = TRACKING_USERFAULT;
        return true;
    }
    snapshots.tracking = TRACKING_PROTECT;
    snapshots.learning = true;
    return wanted != TRACKING_USERFAULT;
}

static void protect(char *at, size_t size, int how)
{
    if (os_call(SYS_mprotect, (long)at, (long)size, how, 0, 0, 0) != 0)
        give_up("mprotect failed: too many mappings; try --isolate fork");
}

void track_protect(char *page)
{
    if (snapshots.tracking == TRACKING_USERFAULT)
        write_protect(page, PAGE, true);
    else
        protect(page, PAGE, PROT_READ);
}

void track_allow(char *page)
{
    if (snapshots.tracking == TRACKING_USERFAULT)
        write_protect(page, PAGE, false);
    else
        protect(page, PAGE, PROT_READ | PROT_WRITE);
}

/* File-backed memory cannot be watched: an anonymous copy takes its place. */
static void make_anonymous(struct region *region)
{
    size_t size = (size_t)(region->high - region->low);
    char *copy = os_map(SPARE_ADDRESS, size);
    if (copy == NULL)
        give_up("no room for a copy of the program's data");
    memcpy(copy, region->low, size);
    long moved = os_call(SYS_mremap, (long)copy, (long)size, (long)size,
                         MREMAP_MAYMOVE | MREMAP_FIXED, (long)region->low, 0);
    if (moved != (long)region->low)
        give_up("cannot replace the program's data by a copy");
    region->anonymous = true;
}

static void userfault_add(struct region *region)
{
    if (!region->anonymous)
        make_anonymous(region);
    size_t size = (size_t)(region->high - region->low);
    struct uffdio_register what = {.range = {.start = (uint64_t)region->low, .len = size},
                                   .mode = UFFDIO_REGISTER_MODE_WP};
    if (os_call(SYS_ioctl, snapshots.fault_descriptor, (long)UFFDIO_REGISTER, (long)&what, 0, 0,
                0) != 0)
        give_up("userfaultfd cannot watch a mapping; use --tracking protect");
    write_protect(region->low, size, true);
}

void track_add(struct region *region)
{
    if (snapshots.tracking == TRACKING_USERFAULT)
        userfault_add(region);
    else if (snapshots.learning && !region->stack)
        return; /* after the first execution */
    else
        protect(region->low, (size_t)(region->high - region->low), PROT_READ);
    for (char *at = region->low; at < region->high; at += PAGE)
        if (pages[region->first + (uint32_t)((at - region->low) / (long)PAGE)].hot)
            track_allow(at);
}

void track_drop(struct region *region)
{
    size_t size = (size_t)(region->high - region->low);
    if (snapshots.tracking == TRACKING_PROTECT) {
        protect(region->low, size, PROT_READ | PROT_WRITE);
        return;
    }
    struct uffdio_range range = {.start = (uint64_t)region->low, .len = size};
    os_call(SYS_ioctl, snapshots.fault_descriptor, (long)UFFDIO_UNREGISTER, (long)&range, 0, 0, 0);
}
