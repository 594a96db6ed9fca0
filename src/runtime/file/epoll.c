/* epoll: a list of files to look at. What is reported is found by looking at each of them; for
 * EPOLLET, an entry also remembers what of a file's news it has reported. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/mix.h"
#include "base/os.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/descriptor.h"
#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/still.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/world.h"
#include "runtime/time/time_calls.h"
#include "runtime/time/virtual_clock.h"

enum { DEPTH_MAX = 5, FLAGS = EPOLLET | EPOLLONESHOT | EPOLLWAKEUP | EPOLLEXCLUSIVE };

struct entry {
    struct entry *next;
    struct file *file;
    int descriptor;
    uint32_t events; /* with its flags */
    uint64_t data;
    bool off;      /* EPOLLONESHOT, and reported */
    bool fresh;    /* not reported since it was added or changed */
    uint32_t news; /* of the file, when it was last reported */
};

struct epoll {
    struct file file;
    struct source source;
    struct entry *first;
};

static struct epoll *epoll_of(const struct file *file)
{
    return (struct epoll *)file;
}

/* Counts what could be reported as new. */
static uint32_t news_of(const struct file *file, uint32_t events)
{
    uint32_t news = 0;
    if (file->in != NULL && events & (EPOLLIN | EPOLLRDHUP))
        news += file->in->arrivals;
    if (file->out != NULL && events & EPOLLOUT)
        news += file->out->departures;
    if (file->kind == &file_epoll)
        for (const struct entry *each = epoll_of(file)->first; each != NULL; each = each->next)
            news += news_of(each->file, each->events);
    return news;
}

static uint32_t entry_ready(const struct entry *entry)
{
    if (entry->off || entry->file->closed)
        return 0;
    if (entry->events & EPOLLET && !entry->fresh &&
        news_of(entry->file, entry->events) == entry->news)
        return 0;
    return file_ready(entry->file) & ((entry->events & ~(uint32_t)FLAGS) | EPOLLERR | EPOLLHUP);
}

static uint32_t epoll_ready(const struct file *file)
{
    for (const struct entry *each = epoll_of(file)->first; each != NULL; each = each->next)
        if (entry_ready(each) != 0)
            return POLLIN | POLLRDNORM;
    return 0;
}

static uint64_t epoll_deadline(const struct file *file)
{
    uint64_t end = FILE_NEVER;
    for (const struct entry *each = epoll_of(file)->first; each != NULL; each = each->next) {
        if (each->off || each->file->closed || !(each->events & EPOLLIN))
            continue;
        if (each->events & EPOLLET && file_ready(each->file) != 0)
            continue; /* time brings nothing new */
        uint64_t by_itself = file_deadline(each->file);
        end = by_itself < end ? by_itself : end;
    }
    return end;
}

static void epoll_visit(const struct file *file, uint32_t events,
                        void (*visit)(const struct source *))
{
    visit(&epoll_of(file)->source);
    for (const struct entry *each = epoll_of(file)->first; each != NULL; each = each->next)
        if (!each->file->closed && !each->off)
            file_visit(each->file, each->events, visit);
}

static uint64_t epoll_still(struct file *file, struct still *still)
{
    uint64_t hash = 1;
    for (const struct entry *each = epoll_of(file)->first; each != NULL; each = each->next) {
        bool news = news_of(each->file, each->events) != each->news;
        hash = mix(mix(hash, (uintptr_t)each->file), each->data);
        hash = mix(hash, (uint64_t)each->events << 32 | (uint32_t)each->descriptor << 3 |
                             (uint32_t)each->off << 2 | (uint32_t)each->fresh << 1 | news);
    }
    still_pointer(still, &epoll_of(file)->first);
    return hash;
}

/* An epoll that looks at nothing: a thread that waits there waits forever, and a child that does
 * not end is refused. */
static int epoll_inherit(const struct file *file)
{
    return (int)os_call(SYS_epoll_create1, 0, 0, 0, 0, 0, 0);
}

const struct file_kind file_epoll = {
    .name = "epoll",
    .ready = epoll_ready,
    .deadline = epoll_deadline,
    .visit = epoll_visit,
    .still = epoll_still,
    .inherit = epoll_inherit,
};

int epoll_open(int flags, uintptr_t site)
{
    if (flags & ~EPOLL_CLOEXEC)
        return file_fails(EINVAL);
    struct epoll *epoll = file_memory(sizeof *epoll, site);
    epoll->file.kind = &file_epoll;
    epoll->file.flags = O_RDWR;
    epoll->file.in = &epoll->source;
    return file_open(&epoll->file, flags & EPOLL_CLOEXEC, site);
}

int epoll_open_sized(int size, uintptr_t site)
{
    return size <= 0 ? file_fails(EINVAL) : epoll_open(0, site);
}

static struct entry **find(struct epoll *epoll, int descriptor, const struct file *file)
{
    struct entry **at = &epoll->first;
    while (*at != NULL && ((*at)->descriptor != descriptor || (*at)->file != file))
        at = &(*at)->next;
    return at;
}

/* How deep epolls lie in one another; too deep if `top` is met again. */
static int depth_of(const struct file *file, const struct file *top)
{
    int deepest = 0;
    if (file->kind != &file_epoll)
        return 0;
    if (file == top)
        return DEPTH_MAX + 1;
    for (const struct entry *each = epoll_of(file)->first; each != NULL; each = each->next) {
        int depth = depth_of(each->file, top);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

static int add(struct epoll *epoll, int descriptor, struct file *file,
               const struct epoll_event *event)
{
    if (*find(epoll, descriptor, file) != NULL)
        return EEXIST;
    if (depth_of(file, &epoll->file) >= DEPTH_MAX)
        return ELOOP;
    struct entry *entry = execution_take(sizeof *entry);
    *entry = (struct entry){.file = file,
                            .descriptor = descriptor,
                            .events = event->events,
                            .data = event->data.u64,
                            .fresh = true};
    struct entry **end = &epoll->first;
    while (*end != NULL)
        end = &(*end)->next;
    *end = entry;
    return 0;
}

static int change(struct epoll *epoll, int command, int descriptor, struct file *file,
                  const struct epoll_event *event)
{
    if (command == EPOLL_CTL_ADD)
        return add(epoll, descriptor, file, event);
    struct entry **at = find(epoll, descriptor, file);
    if (*at == NULL)
        return ENOENT;
    if (command == EPOLL_CTL_DEL) {
        *at = (*at)->next;
        return 0;
    }
    if (((*at)->events | event->events) & EPOLLEXCLUSIVE)
        return EINVAL;
    (*at)->events = event->events;
    (*at)->data = event->data.u64;
    (*at)->fresh = true;
    (*at)->off = false;
    return 0;
}

/* A descriptor of the kernel's: epoll takes no plain files, and the others we do not know. */
static int kernel_error(int descriptor, uintptr_t site)
{
    struct stat status;
    if (os_call(SYS_fstat, descriptor, (long)&status, 0, 0, 0, 0) < 0)
        return EBADF;
    if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        return EPERM;
    refuse_call("epoll_ctl", "this kind of descriptor is not modelled; leave it out when testing",
                site);
}

int epoll_change(int descriptor, int command, int member, const struct epoll_event *event,
                 const struct local *local)
{
    struct file *epoll = file_of(descriptor), *file = file_of(member);
    struct epoll_event wanted = {0};
    descriptor_uses(descriptor, local->site);
    descriptor_uses(member, local->site);
    if (epoll == NULL && !world_has_descriptor(descriptor))
        return file_fails(EBADF);
    if (command != EPOLL_CTL_DEL) {
        if (event == NULL)
            return file_fails(EFAULT);
        memory_read_before(OP_FILE_CHANGE, event, sizeof *event, local->site);
        wanted = *event;
    }
    if (file == NULL)
        return file_fails(kernel_error(member, local->site));
    if (epoll == NULL || epoll->kind != &file_epoll || file == epoll ||
        (command != EPOLL_CTL_ADD && command != EPOLL_CTL_DEL && command != EPOLL_CTL_MOD))
        return file_fails(EINVAL);
    if (wanted.events & EPOLLEXCLUSIVE &&
        (file->kind == &file_epoll || wanted.events & EPOLLONESHOT))
        return file_fails(EINVAL);
    struct file_wait wait = {.descriptor = descriptor, .deadline = FILE_NEVER, .local = local};
    if (!file_step(&wait, OP_FILE_CHANGE, epoll->in))
        return file_fails(wait.error);
    file = file_of(member);
    int error = file == NULL ? EBADF : change(epoll_of(wait.file), command, member, file, &wanted);
    if (error != 0) {
        source_look(wait.file->in);
        file_step_failed(&wait);
        return file_fails(error);
    }
    source_arrive(wait.file->in);
    source_release(wait.file->in);
    return 0;
}

static bool can_wait(const struct file *file, const struct file_wait *wait)
{
    return file_ready(file) != 0;
}

static void acquire(const struct source *source)
{
    source_acquire((struct source *)source);
}

/* Takes up to `most` events; true: the epoll itself has changed. */
static bool collect(struct epoll *epoll, struct epoll_event *events, int most, int *count)
{
    bool changed = false;
    struct entry *last = NULL;
    for (struct entry *each = epoll->first; each != NULL && *count < most; each = each->next) {
        uint32_t ready = entry_ready(each);
        if (ready == 0)
            continue;
        events[(*count)++] = (struct epoll_event){.events = ready, .data.u64 = each->data};
        file_visit(each->file, each->events, acquire);
        changed |= each->events & (EPOLLET | EPOLLONESHOT);
        each->off = each->events & EPOLLONESHOT;
        each->fresh = false;
        each->news = news_of(each->file, each->events);
        last = each;
    }
    if (*count < most || last == NULL || last->next == NULL)
        return changed;
    struct entry *end = last; /* next time the others come first */
    while (end->next != NULL)
        end = end->next;
    end->next = epoll->first;
    epoll->first = last->next;
    last->next = NULL;
    return true;
}

static void give(struct epoll_event *to, const struct epoll_event *events, int count,
                 uintptr_t site)
{
    if (count == 0)
        return;
    bool same = memcmp(to, events, (size_t)count * sizeof *to) == 0;
    poll_note_result(to, (size_t)count * sizeof *to, same, site);
    memcpy(to, events, (size_t)count * sizeof *to);
}

int epoll_await(int descriptor, struct epoll_event *events, int most, const struct timespec *time,
                const struct local *local)
{
    struct file *file = file_of(descriptor);
    if (file == NULL && !world_has_descriptor(descriptor))
        return file_fails(EBADF);
    if (file == NULL || file->kind != &file_epoll || most <= 0 ||
        (time != NULL && (time->tv_sec < 0 || !clock_is_valid(time))))
        return file_fails(EINVAL);
    bool strikes = sigmask_strikes();
    uint64_t length = strikes ? 0 : time == NULL ? FILE_NEVER : clock_length(time);
    struct file_wait wait = {.descriptor = descriptor,
                             .blocks = length > 0,
                             .deadline = length == FILE_NEVER || length == 0 ? FILE_NEVER
                                                                             : clock_after(length),
                             .can = can_wait,
                             .local = local};
    if (!file_step(&wait, OP_FILE_POLL, file->in))
        return file_fails(wait.error);
    struct epoll *epoll = epoll_of(wait.file);
    int room = most < 256 ? most : 256, count = 0;
    struct epoll_event *found = execution_take((size_t)room * sizeof *found);
    file_look(wait.file, POLLIN);
    bool changed = collect(epoll, found, room, &count);
    if (changed)
        step_touch(object_number(&epoll->source), OP_ACCESS_WRITE);
    else
        poll_saw_nothing_new(&wait, count > 0);
    if (wait.awaits && !changed)
        file_visit(wait.file, POLLIN, source_await);
    file_step_done(&wait);
    give(events, found, count, local->site);
    return strikes && count == 0 ? file_fails(EINTR) : count;
}

int epoll_await_milliseconds(int descriptor, struct epoll_event *events, int most, int milliseconds,
                             const struct local *local)
{
    struct timespec time = {.tv_sec = milliseconds / 1000,
                            .tv_nsec = milliseconds % 1000 * 1000000l};
    return epoll_await(descriptor, events, most, milliseconds < 0 ? NULL : &time, local);
}
