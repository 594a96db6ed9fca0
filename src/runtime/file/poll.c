/* poll, select and their kin. Modelled files are looked at in one step, which is possible when one
 * of them is ready or a time has come; the kernel is asked about the others, but never to wait. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "base/os.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/upper.h"
#include "runtime/file/descriptor.h"
#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/world.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/time_calls.h"
#include "runtime/time/timeout.h"
#include "runtime/time/virtual_clock.h"

enum { LOOKS_FEW = 64, READS_FEW = 8, SELECT_MAX = 1024 };

struct query {
    const char *call;
    struct file_look *looks;
    uint32_t count;
    uint64_t length; /* nanoseconds; FILE_NEVER: no timeout */
    const struct local *local;
};

void poll_note_result(void *to, size_t size, bool same, uintptr_t site)
{
    uint32_t reads = ex.me->await.count, wrote = ex.me->await.wrote, steps = rt.trace.count;
    memory_access(to, size, true, site);
    if (same && rt.trace.count == steps) { /* a loop that gets the same answer again still waits */
        ex.me->await.count = reads;
        ex.me->await.wrote = wrote;
    }
}

void poll_saw_nothing_new(struct file_wait *wait, bool found)
{
    if (!found)
        file_step_failed(wait);
    else if (wait->awaits)
        await_after_read();
}

static bool is_kernels(const struct file_look *look)
{
    return look->descriptor >= 0 && file_of(look->descriptor) == NULL &&
           !file_is_gone(look->descriptor);
}

/* How many of the kernel's are ready; it is asked about all at once. */
static long ask_kernel(const struct query *query)
{
    uint32_t count = 0;
    long ready = 0;
    for (uint32_t i = 0; i < query->count; i++)
        count += is_kernels(&query->looks[i]);
    if (count == 0)
        return 0;
    struct pollfd *files = execution_take(count * sizeof *files);
    struct timespec none = {0};
    count = 0;
    for (uint32_t i = 0; i < query->count; i++)
        if (is_kernels(&query->looks[i]))
            files[count++] =
                (struct pollfd){.fd = query->looks[i].descriptor, .events = query->looks[i].events};
    long result = os_call(SYS_ppoll, (long)files, count, (long)&none, 0, 8, 0);
    if (result < 0)
        return result;
    count = 0;
    for (uint32_t i = 0; i < query->count; i++)
        if (is_kernels(&query->looks[i])) {
            query->looks[i].found = files[count++].revents;
            ready += query->looks[i].found != 0;
        }
    return ready;
}

static bool is_ready(const struct file_look *look)
{
    uint32_t wanted = (uint16_t)look->events | POLLERR | POLLHUP;
    return look->file != NULL && file_ready(look->file) & wanted;
}

static void find_files(const struct file_wait *wait)
{
    for (uint32_t i = 0; !wait->inside && i < wait->look_count; i++) {
        struct file *file = file_of(wait->looks[i].descriptor);
        if (file != NULL)
            wait->looks[i].found = 0;
        else if (wait->looks[i].file != NULL || file_is_gone(wait->looks[i].descriptor))
            wait->looks[i].found = POLLNVAL; /* closed */
        wait->looks[i].file = file;
    }
}

static bool any_ready(const struct file *none, const struct file_wait *wait)
{
    find_files(wait);
    for (uint32_t i = 0; i < wait->look_count; i++)
        if (wait->looks[i].found != 0 || is_ready(&wait->looks[i]))
            return true;
    return false;
}

static void acquire(const struct source *source)
{
    source_acquire((struct source *)source);
}

static long look_at_all(struct file_wait *wait)
{
    long ready = 0;
    find_files(wait);
    for (uint32_t i = 0; i < wait->look_count; i++) {
        struct file_look *look = &wait->looks[i];
        if (look->file != NULL) {
            uint32_t wanted = (uint16_t)look->events | POLLERR | POLLHUP;
            file_look(look->file, (uint16_t)look->events);
            look->found = (short)(file_ready(look->file) & wanted);
            if (look->found != 0)
                file_visit(look->file, (uint16_t)look->events, acquire);
        } else if (look->found & POLLNVAL) {
            source_look(&file_numbers);
        }
        ready += look->found != 0;
    }
    return ready;
}

static const struct source *object_of(const struct file_wait *wait)
{
    for (uint32_t i = 0; i < wait->look_count; i++) {
        const struct file_look *look = &wait->looks[i];
        if (look->file == NULL && file_is_gone(look->descriptor))
            return &file_numbers;
        if (look->file == NULL)
            continue;
        return look->events & POLLIN || look->file->out == NULL ? look->file->in : look->file->out;
    }
    return NULL;
}

static long wait_for_files(const struct query *query, long ready)
{
    struct file_wait wait = {.descriptor = -1,
                             .looks = query->looks,
                             .look_count = query->count,
                             .blocks = ready == 0 && query->length > 0,
                             .deadline = FILE_NEVER,
                             .can = any_ready,
                             .local = query->local};
    find_files(&wait);
    if (wait.blocks && query->length != FILE_NEVER)
        wait.deadline = clock_after(query->length);
    if (!file_step(&wait, OP_FILE_POLL, object_of(&wait)))
        return file_fails(wait.error);
    ready = look_at_all(&wait);
    poll_saw_nothing_new(&wait, ready > 0);
    for (uint32_t i = 0; wait.awaits && i < wait.look_count; i++)
        if (wait.looks[i].file != NULL)
            file_visit(wait.looks[i].file, (uint16_t)wait.looks[i].events, source_await);
    if (wait.awaits && ready == 0 && wait.look_count > READS_FEW)
        timeout_give_way(); /* too many to wait for a change of */
    file_step_done(&wait);
    return ready;
}

/* None of them is ours: one step that is always possible, or the kernel's answer. */
static long wait_for_kernel(const struct query *query, long ready)
{
    if (query->length == 0 || (query->length == FILE_NEVER && ready > 0)) {
        if (ex.me->cancel.requested)
            cancel_point();
        return ready;
    }
    if (query->length != FILE_NEVER) {
        uint64_t end = clock_after(query->length);
        if (sleep_step(end, query->local->site) != 0)
            return file_fails(EINTR);
        ready = ask_kernel(query);
        if (ready == 0)
            clock_reach(end);
        return ready;
    }
    for (uint32_t i = 0; i < query->count; i++)
        if (query->looks[i].descriptor >= 0)
            refuse_call(query->call,
                        "waiting without a timeout for what other processes do is not modelled; "
                        "give a timeout",
                        query->local->site);
    struct file_wait wait = {
        .descriptor = -1, .blocks = true, .deadline = FILE_NEVER, .local = query->local};
    if (!file_step(&wait, OP_FILE_POLL, NULL))
        return file_fails(wait.error);
    return 0;
}

static long ask(const struct query *query)
{
    bool ours = false;
    for (uint32_t i = 0; i < query->count; i++)
        ours |=
            file_of(query->looks[i].descriptor) != NULL || file_is_gone(query->looks[i].descriptor);
    long ready = ask_kernel(query);
    if (ready < 0)
        return file_fails((int)-ready);
    if (!ours) {
        ex.me->await.count = 0; /* the kernel's state may change */
        return wait_for_kernel(query, ready);
    }
    return wait_for_files(query, ready);
}

/* A signal that the call's own mask lets in ends it, unless something is ready. */
static long run(struct query *query)
{
    bool strikes = sigmask_strikes();
    if (strikes)
        query->length = 0;
    long ready = ask(query);
    return strikes && ready == 0 ? file_fails(EINTR) : ready;
}

static bool is_length(const struct timespec *time)
{
    return time == NULL || (time->tv_sec >= 0 && clock_is_valid(time));
}

int poll_files(const char *call, struct pollfd *files, unsigned long count,
               const struct timespec *time, const struct local *local)
{
    bool too_many = count > LOOKS_FEW && count > world_descriptor_limit();
    if (too_many || !is_length(time))
        return file_fails(EINVAL);
    struct query query = {.call = call,
                          .count = (uint32_t)count,
                          .local = local,
                          .length = time == NULL ? FILE_NEVER : clock_length(time)};
    query.looks = execution_take((count + 1) * sizeof *query.looks);
    if (count > 0)
        memory_access(files, count * sizeof *files, false, local->site);
    for (unsigned long i = 0; i < count; i++)
        descriptor_uses(files[i].fd, local->site);
    for (uint32_t i = 0; i < count; i++)
        query.looks[i] = (struct file_look){.descriptor = files[i].fd, .events = files[i].events};
    int ready = (int)run(&query);
    for (uint32_t i = 0; ready >= 0 && i < count; i++) {
        short found = query.looks[i].found;
        poll_note_result(&files[i].revents, sizeof found, files[i].revents == found, local->site);
        files[i].revents = found;
    }
    return ready;
}

int poll_files_milliseconds(struct pollfd *files, unsigned long count, int milliseconds,
                            const struct local *local)
{
    struct timespec time = {.tv_sec = milliseconds / 1000,
                            .tv_nsec = milliseconds % 1000 * 1000000l};
    return poll_files("poll", files, count, milliseconds < 0 ? NULL : &time, local);
}

/* The three sets of select, and what of poll each stands for. */
static const struct {
    short events, found;
} sets_mean[3] = {
    {POLLIN, POLLIN | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR},
    {POLLOUT, POLLOUT | POLLWRNORM | POLLWRBAND | POLLERR},
    {POLLPRI, POLLPRI},
};

static bool is_set(const uint64_t *set, int descriptor)
{
    return set != NULL && set[descriptor / 64] >> descriptor % 64 & 1;
}

static int answer(const struct query *query, uint64_t *const sets[3], int count)
{
    int ready = 0;
    uint64_t found[3][SELECT_MAX / 64] = {0};
    for (uint32_t i = 0; i < query->count; i++) {
        const struct file_look *look = &query->looks[i];
        if (look->found & POLLNVAL)
            return file_fails(EBADF);
        for (int k = 0; k < 3; k++)
            if (is_set(sets[k], look->descriptor) && look->found & sets_mean[k].found) {
                found[k][look->descriptor / 64] |= 1ul << look->descriptor % 64;
                ready++;
            }
    }
    size_t size = ((size_t)count + 63) / 64 * 8;
    for (int k = 0; k < 3; k++)
        if (sets[k] != NULL && size > 0) {
            poll_note_result(sets[k], size, memcmp(sets[k], found[k], size) == 0,
                             query->local->site);
            memcpy(sets[k], found[k], size);
        }
    return ready;
}

int select_files(const char *call, int count, void *const sets_of[3], const struct timespec *time,
                 const struct local *local)
{
    if (count < 0 || !is_length(time))
        return file_fails(EINVAL);
    if (count > SELECT_MAX)
        refuse_call(call, "more than 1024 descriptors are not modelled; use poll", local->site);
    struct query query = {
        .call = call, .local = local, .length = time == NULL ? FILE_NEVER : clock_length(time)};
    uint64_t *const sets[3] = {sets_of[0], sets_of[1], sets_of[2]};
    query.looks = execution_take(((size_t)count + 1) * sizeof *query.looks);
    for (int k = 0; k < 3; k++)
        if (sets[k] != NULL && count > 0)
            memory_access(sets[k], ((size_t)count + 63) / 64 * 8, false, local->site);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (sets[k] != NULL && sets[k][i / 64] >> i % 64 & 1)
                descriptor_uses(i, local->site);
    for (int i = 0; i < count; i++) {
        short events = 0;
        bool wanted = false;
        for (int k = 0; k < 3; k++) {
            wanted |= is_set(sets[k], i);
            events |= is_set(sets[k], i) ? sets_mean[k].events : 0;
        }
        if (wanted)
            query.looks[query.count++] = (struct file_look){.descriptor = i, .events = events};
    }
    long ready = run(&query);
    return ready < 0 ? -1 : answer(&query, sets, count);
}

int select_files_until(int count, void *const sets[3], void *timeout, const struct local *local)
{
    struct timeval *left = timeout;
    if (left == NULL)
        return select_files("select", count, sets, NULL, local);
    called_reads(left, sizeof *left, local->site);
    if (left->tv_sec < 0 || left->tv_usec < 0)
        return file_fails(EINVAL);
    struct timespec time = {.tv_sec = left->tv_sec + left->tv_usec / 1000000,
                            .tv_nsec = left->tv_usec % 1000000 * 1000};
    int ready = select_files("select", count, sets, &time, local);
    if (ready == 0) {
        called_writes(left, sizeof *left, local->site);
        *left = (struct timeval){0}; /* Linux says how much was left */
    }
    return ready;
}
