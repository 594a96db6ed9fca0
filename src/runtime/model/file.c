/* Descriptors of modelled files, and what all calls on them have in common: how they wait. */
#define _GNU_SOURCE
#include "runtime/model/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/assert.h"
#include "base/os.h"
#include "base/out.h"
#include "runtime/board.h"
#include "runtime/heap/heap.h"
#include "runtime/interpose/interpose.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/poll.h"
#include "runtime/memory/watch.h"
#include "runtime/model/alert.h"
#include "runtime/model/api.h"
#include "runtime/model/clock.h"
#include "runtime/model/file_spare.h"
#include "runtime/model/signal.h"
#include "runtime/object.h"
#include "runtime/refuse.h"
#include "runtime/scheduler.h"

enum { WAITERS_MAX = 8, LABEL_MAX = 64 };

/* The program's state: put back with the rest. */
static struct file *table[DESCRIPTORS_MAX];
struct source file_numbers;

thread_id file_asking;

struct file *file_of(int descriptor)
{
    return (unsigned)descriptor < DESCRIPTORS_MAX ? table[descriptor] : NULL;
}

bool files_are_open(void)
{
    for (int i = 0; i < DESCRIPTORS_MAX; i++)
        if (table[i] != NULL)
            return true;
    return false;
}

bool files_are_inherited(void)
{
    for (int i = 0; i < DESCRIPTORS_MAX; i++)
        if (table[i] != NULL && !(os_call(SYS_fcntl, i, F_GETFD, 0, 0, 0, 0) & FD_CLOEXEC))
            return true;
    return false;
}

int file_fails(int error)
{
    errno = error;
    return -1;
}

_Noreturn void file_refuse(int descriptor, const char *call, uintptr_t site)
{
    char buffer[160];
    struct out out = out_to(-1, buffer, sizeof buffer);
    struct file *file = file_of(descriptor);
    out_text(&out, "not modelled for ");
    out_text(&out, file != NULL ? file->kind->name : "this descriptor");
    out_text(&out, "; read and write it without this call");
    refuse_call(call, out_string(&out), site);
}

static void *take_memory(size_t size, bool is_file, uintptr_t site)
{
    void *memory = heap_take_own(size, 16, site);
    if (memory == NULL)
        refuse("a thread has no memory left for files; test with fewer", site);
    memset(memory, 0, size);
    file_spare_note(memory, is_file);
    return memory;
}

void *file_memory(size_t size, uintptr_t site)
{
    return take_memory(size, true, site);
}

void *file_part_memory(size_t size, uintptr_t site)
{
    return take_memory(size, false, site);
}

void source_touch(struct source *source)
{
    source->changes++;
    step_touch(object_number(source), OP_ACCESS_WRITE);
}

void source_arrive(struct source *source)
{
    source->arrivals++;
    source_touch(source);
}

void source_leave(struct source *source)
{
    source->departures++;
    source_touch(source);
}

void source_look(const struct source *source)
{
    step_touch(object_number(source), OP_ACCESS_READ);
}

void source_release(struct source *source)
{
    race_release_more(&ex.race, &object_state(object_number(source))->sync);
}

void source_acquire(struct source *source)
{
    race_acquire(&ex.race, &object_state(object_number(source))->sync);
}

/* "pipe 3, 4" */
void file_name(const struct source *source, const char *kind, int first, int second)
{
    if (likely(!rt.options->detail))
        return;
    char buffer[LABEL_MAX];
    struct out out = out_to(-1, buffer, sizeof buffer);
    out_text(&out, kind);
    out_text(&out, " ");
    out_number(&out, (uint64_t)first);
    if (second >= 0) {
        out_text(&out, ", ");
        out_number(&out, (uint64_t)second);
    }
    api_name(source, sizeof *source, out_string(&out));
}

static void close_placeholder(int descriptor)
{
    os_close(descriptor);
    world_placeholder_gone(descriptor);
}

static int place(struct file *file, bool close_on_exec)
{
    int descriptor = world_placeholder(close_on_exec, 0);
    if (descriptor < 0)
        return descriptor;
    table[descriptor] = file;
    file->descriptors++;
    return descriptor;
}

int file_open_now(struct file *file, bool close_on_exec)
{
    source_touch(&file_numbers);
    return place(file, close_on_exec);
}

static void announce_numbers(enum op_kind kind, uintptr_t site)
{
    announce_on(kind, object_number(&file_numbers), site);
    api_name(&file_numbers, sizeof file_numbers, "descriptors");
    source_touch(&file_numbers);
}

int file_open(struct file *file, bool close_on_exec, uintptr_t site)
{
    announce_numbers(OP_FILE_OPEN, site);
    int descriptor = place(file, close_on_exec);
    if (descriptor < 0)
        return file_fails(-descriptor);
    file_name(file->in, file->kind->name, descriptor, -1);
    return descriptor;
}

int file_open_two(struct file *const files[2], int descriptors[2], bool close_on_exec,
                  uintptr_t site)
{
    announce_numbers(OP_FILE_OPEN, site);
    int both[2];
    for (int i = 0; i < 2; i++) {
        both[i] = place(files[i], close_on_exec);
        if (both[i] < 0 && i == 1) {
            table[both[0]] = NULL;
            close_placeholder(both[0]);
        }
        if (both[i] < 0)
            return file_fails(-both[i]);
    }
    file_name(files[0]->in, files[0]->kind->name, both[0], both[1]);
    if (files[1]->in != NULL && files[1]->in != files[0]->in)
        file_name(files[1]->in, files[1]->kind->name, both[1], both[0]);
    memory_access(descriptors, sizeof both, true, site);
    memcpy(descriptors, both, sizeof both);
    return 0;
}

uint32_t file_ready(const struct file *file)
{
    return file->kind->ready(file);
}

uint64_t file_deadline(const struct file *file)
{
    return file->kind->deadline == NULL ? FILE_NEVER : file->kind->deadline(file);
}

void file_visit(const struct file *file, uint32_t events, void (*visit)(const struct source *))
{
    if (file->kind->visit != NULL) {
        file->kind->visit(file, events, visit);
        return;
    }
    if (file->in != NULL)
        visit(file->in);
    if (file->out != NULL && file->out != file->in && events & POLLOUT)
        visit(file->out);
}

void file_look(const struct file *file, uint32_t events)
{
    file_visit(file, events, source_look);
}

void source_await(const struct source *source)
{
    await_also_read(&source->changes, sizeof source->changes, object_number(source));
}

bool file_blocks(const struct file *file, int flags)
{
    return !(file->flags & O_NONBLOCK) && !(flags & MSG_DONTWAIT);
}

static struct file *file_now(const struct file_wait *wait)
{
    return wait->inside ? wait->file : file_of(wait->descriptor);
}

static uint64_t deadline_of(const struct file_wait *wait, const struct file *file)
{
    uint64_t end = wait->deadline;
    if (file != NULL) {
        uint64_t by_itself = file_deadline(file);
        end = by_itself < end ? by_itself : end;
    }
    for (uint32_t i = 0; i < wait->look_count; i++) {
        const struct file_look *look = &wait->looks[i];
        uint64_t by_itself = FILE_NEVER;
        if (look->file != NULL && look->events & POLLIN)
            by_itself = file_deadline(look->file);
        end = by_itself < end ? by_itself : end;
    }
    return end;
}

bool file_can_go(const void *waits, thread_id thread)
{
    const struct file_wait *wait = waits;
    file_asking = thread;
    if (!await_is_idle(&ex.threads[thread].await))
        return false;
    if (!wait->blocks)
        return true;
    struct file *file = file_now(wait);
    if (file == NULL && wait->looks == NULL)
        return wait->descriptor >= 0; /* to find that it is closed */
    return wait->can(file, wait) || deadline_of(wait, file) != FILE_NEVER;
}

bool file_is_waiting(const void *waits)
{
    const struct file_wait *wait = waits;
    struct file *file = file_now(wait);
    file_asking = wait->thread;
    if (!wait->blocks || (file == NULL && wait->looks == NULL && wait->descriptor >= 0))
        return false;
    return wait->can == NULL || !wait->can(file, wait);
}

/* Nothing else was there: time has to bring it. */
static void pass_time(uint64_t deadline)
{
    CHECK(deadline != FILE_NEVER);
    clock_reach(deadline);
    timeout_give_way();
    ex.me->timeout_site = ex.pending[ex.current].site;
}

bool file_step(struct file_wait *wait, enum op_kind kind, const struct source *object)
{
    const struct local *local = wait->local;
    uint32_t number = object == NULL ? NO_OBJECT : object_number(object);
    wait->file = file_now(wait);
    wait->thread = file_asking = ex.current;
    wait->awaits = object != NULL && deadline_of(wait, wait->file) == FILE_NEVER;
    if (wait->awaits)
        await_before_read(&object->changes, sizeof object->changes, number, local);
    else if (unlikely(rt.turns_skipped))
        poll_enter(local, POLL_TIMED);
    ex.me->mutex = wait;
    ex.me->deadline = deadline_of(wait, wait->file);
    enum interruption how = !wait->blocks          ? NOT_INTERRUPTED
                            : kind == OP_FILE_POLL ? INTERRUPTED
                                                   : RESTARTED;
    if (!announce_interruptible(
            (struct op){.kind = (uint8_t)kind, .choices = 1, .object = number, .site = local->site},
            how)) {
        wait->file = file_now(wait);
        file_step_done(wait);
        wait->error = EINTR;
        return false;
    }
    wait->file = file_now(wait);
    file_asking = ex.current;
    if (wait->file == NULL && wait->descriptor >= 0) {
        source_look(&file_numbers);
        step_failed();
        wait->error = EBADF;
        return false;
    }
    if (wait->blocks && !wait->can(wait->file, wait))
        pass_time(deadline_of(wait, wait->file));
    return true;
}

static void release_file(struct file *file)
{
    if (file->descriptors > 0 || file->inside > 0 || file->closed)
        return;
    file->closed = true;
    if (file->kind->close != NULL)
        file->kind->close(file);
    file_spare_collect();
}

void file_step_done(struct file_wait *wait)
{
    if (likely(!wait->inside))
        return;
    wait->inside = false;
    watch_outside(); /* no descriptor leads to what it has changed */
    if (wait->file != NULL && wait->looks == NULL) {
        wait->file->inside--;
        release_file(wait->file);
    }
    for (uint32_t i = 0; i < wait->look_count; i++)
        if (wait->looks[i].file != NULL) {
            wait->looks[i].file->inside--;
            release_file(wait->looks[i].file);
        }
}

/* A loop that only asks again and again waits; if it waits for a time to come, time must pass. */
void file_step_failed(struct file_wait *wait)
{
    if (wait->awaits)
        await_after_read();
    else if (!wait->blocks)
        clock_look(CLOCK_MONOTONIC);
    step_failed();
}

static bool refers(const struct file_wait *wait, int descriptor)
{
    if (wait->looks == NULL)
        return wait->descriptor == descriptor;
    for (uint32_t i = 0; i < wait->look_count; i++)
        if (wait->looks[i].descriptor == descriptor)
            return true;
    return false;
}

bool file_op_waits(uint8_t kind)
{
    return kind == OP_FILE_READ || kind == OP_FILE_WRITE || kind == OP_FILE_POLL ||
           kind == OP_ACCEPT || kind == OP_CONNECT;
}

static bool is_stuck_on(thread_id thread, int descriptor)
{
    const struct file_wait *wait = ex.threads[thread].mutex;
    return file_op_waits(ex.pending[thread].kind) && wait->blocks && !wait->inside &&
           refers(wait, descriptor) && !file_can_go(wait, thread);
}

void file_abandon(struct file_wait *wait)
{
    wait->file = file_now(wait);
    file_step_done(wait);
    if (wait->opened != 0)
        file_unopen(wait->opened - 1);
}

/* Whoever has to wait for a file that another thread closes is either in its call already, and then
 * goes on to wait for that file, or comes too late. One bit for each of them. */
uint16_t file_close_choices(thread_id closing)
{
    const struct file_wait *wait = ex.threads[closing].mutex;
    uint32_t waiters = 0;
    if (file_of(wait->descriptor) == NULL)
        return 1;
    THREADS_EACH(thread, &ex.live)
    waiters += thread != closing && is_stuck_on(thread, wait->descriptor);
    if (waiters > WAITERS_MAX)
        refuse_call("close",
                    "more than 8 threads wait for the descriptor that is closed; test with fewer",
                    ex.pending[closing].site);
    return (uint16_t)(1u << waiters);
}

static void hold(struct file_wait *wait)
{
    wait->inside = true;
    if (wait->looks == NULL) {
        wait->file = file_of(wait->descriptor);
        wait->file->inside++;
    }
    for (uint32_t i = 0; i < wait->look_count; i++) {
        wait->looks[i].file = file_of(wait->looks[i].descriptor);
        if (wait->looks[i].file != NULL)
            wait->looks[i].file->inside++;
    }
}

static void decide_waiters(int descriptor)
{
    uint32_t late = step_choice();
    thread_set live = ex.live;
    THREADS_EACH(thread, &live)
    {
        if (thread == ex.current || !is_stuck_on(thread, descriptor))
            continue;
        if (!(late & 1))
            hold(ex.threads[thread].mutex);
        late >>= 1;
    }
}

/* In a step: the descriptor means nothing any more. */
static void forget(int descriptor)
{
    struct file *file = table[descriptor];
    if (file == NULL)
        return;
    decide_waiters(descriptor);
    table[descriptor] = NULL;
    if (file->in != NULL)
        step_touch(object_number(file->in), OP_ACCESS_WRITE);
    if (file->out != NULL && file->out != file->in)
        step_touch(object_number(file->out), OP_ACCESS_WRITE);
    file->descriptors--;
    release_file(file);
}

void file_unopen(int descriptor)
{
    struct file *file = table[descriptor];
    table[descriptor] = NULL;
    file->descriptors--;
    close_placeholder(descriptor);
    release_file(file);
}

static void announce_close(int descriptor, uintptr_t site)
{
    struct file_wait wait = {.descriptor = descriptor};
    struct file *file = file_of(descriptor);
    const struct source *object = file != NULL && file->in != NULL    ? file->in
                                  : file != NULL && file->out != NULL ? file->out
                                                                      : &file_numbers;
    ex.me->mutex = &wait;
    announce_on(OP_FILE_CLOSE, object_number(object), site);
    source_touch(&file_numbers);
}

int file_close(int descriptor, uintptr_t site)
{
    announce_close(descriptor, site);
    if (file_of(descriptor) == NULL) { /* somebody else was faster */
        step_failed();
        return file_fails(EBADF);
    }
    forget(descriptor);
    close_placeholder(descriptor);
    return 0;
}

void file_refuse_own_table(int flags, uintptr_t site)
{
    if (flags & CLOSE_RANGE_UNSHARE)
        refuse_call("close_range",
                    "descriptors of one thread alone (CLOSE_RANGE_UNSHARE) are not "
                    "modelled; close those of all",
                    site);
}

/* A range: each modelled one is a step. */
int file_close_range(unsigned first, unsigned last, uintptr_t site)
{
    for (unsigned i = first; i <= last && i < DESCRIPTORS_MAX; i++)
        if (table[i] != NULL)
            file_close((int)i, site);
    long result = world_close_range(first, last);
    return result < 0 ? file_fails((int)-result) : 0;
}

int file_dup(int descriptor, int lowest, bool close_on_exec, uintptr_t site)
{
    announce_numbers(OP_FILE_OPEN, site);
    struct file *file = file_of(descriptor);
    if (file == NULL)
        return file_fails(EBADF);
    if (lowest < 0 || (uint64_t)lowest >= world_descriptor_limit())
        return file_fails(EINVAL);
    int copy = world_placeholder(close_on_exec, lowest);
    if (copy < 0)
        return file_fails(-copy);
    table[copy] = file;
    file->descriptors++;
    return copy;
}

/* One of the two is a modelled file. */
int file_dup_to(int from, int to, int flags, const char *call, uintptr_t site)
{
    bool three = strcmp(call, "dup3") == 0;
    if (three && (from == to || flags & ~O_CLOEXEC))
        return file_fails(EINVAL);
    if (file_of(from) != NULL && to >= 0 && to <= 2)
        refuse_call(call,
                    "a pipe or socket in place of a standard stream is not modelled; "
                    "use its own descriptor, or fdopen",
                    site);
    bool disabled = ex.me->cancel.disabled;
    ex.me->cancel.disabled = true; /* in contrast to close, this is no cancellation point */
    announce_close(to, site);
    ex.me->cancel.disabled = disabled;
    if (from == to)
        return file_of(to) != NULL ? to : file_fails(EBADF);
    struct file *file = file_of(from);
    long result = file != NULL ? world_placeholder_at(to, flags & O_CLOEXEC)
                               : os_call(SYS_dup3, from, to, flags, 0, 0, 0);
    if (result < 0)
        return file_fails((int)-result);
    if (file != NULL) {
        file->descriptors++; /* before the other goes: it may be the same */
    } else {
        world_placeholder_gone(to);
        world_descriptors();
    }
    forget(to);
    table[to] = file;
    return to;
}

static int set_flags(struct file *file, int descriptor, int flags, const char *call, uintptr_t site)
{
    if (flags & O_ASYNC)
        file_refuse(descriptor, call, site);
    file->flags = (file->flags & ~O_NONBLOCK) | (flags & O_NONBLOCK);
    return 0;
}

int file_control(int descriptor, int command, long argument, uintptr_t site)
{
    struct file *file = file_of(descriptor);
    switch (command) {
    case F_DUPFD:
        return file_dup(descriptor, (int)argument, false, site);
    case F_DUPFD_CLOEXEC:
        return file_dup(descriptor, (int)argument, true, site);
    case F_GETFL:
        return file->flags;
    case F_SETFL:
        return set_flags(file, descriptor, (int)argument, "fcntl", site);
    case F_SETFD: /* a flag of the kernel's: reset makes the placeholder anew */
        world_descriptors();
        world_placeholder_gone(descriptor);
        return (int)os_call(SYS_fcntl, descriptor, command, argument, 0, 0, 0);
    case F_GETFD:
        return (int)os_call(SYS_fcntl, descriptor, command, argument, 0, 0, 0);
    case F_GETPIPE_SZ:
    case F_SETPIPE_SZ:
        return pipe_size(file, command == F_SETPIPE_SZ ? argument : -1);
    default:
        file_refuse(descriptor, "fcntl", site);
    }
}

void file_check_path(const char *path, uintptr_t site)
{
    static const char *const folders[] = {"/proc/self/fd/", "/proc/thread-self/fd/", "/dev/fd/"};
    for (int i = 0; path != NULL && i < 3; i++) {
        size_t size = strlen(folders[i]);
        if (strncmp(path, folders[i], size) != 0)
            continue;
        int descriptor = 0;
        for (const char *at = path + size; *at >= '0' && *at <= '9' && descriptor < DESCRIPTORS_MAX;
             at++)
            descriptor = descriptor * 10 + (*at - '0');
        if (file_of(descriptor) != NULL)
            file_refuse(descriptor, path, site);
    }
}

static bool can_read(const struct file *file, const struct file_wait *wait)
{
    if (file->kind->can_read != NULL)
        return file->kind->can_read(file);
    return file_ready(file) & (POLLIN | POLLHUP | POLLERR);
}

static bool can_write(const struct file *file, const struct file_wait *wait)
{
    if (file->kind->can_write != NULL)
        return file->kind->can_write(file, wait->transfer);
    return file_ready(file) & (POLLOUT | POLLERR);
}

static uint64_t after_timeout(uint64_t nanoseconds)
{
    return nanoseconds == FILE_NEVER ? FILE_NEVER : clock_after(nanoseconds);
}

long file_read_step(struct file *file, int descriptor, struct transfer *transfer, uint64_t timeout,
                    const struct local *local)
{
    struct file_wait wait = {.descriptor = descriptor,
                             .blocks = file_blocks(file, transfer->flags),
                             .deadline = after_timeout(timeout),
                             .can = can_read,
                             .transfer = transfer,
                             .local = local};
    if (!file_step(&wait, OP_FILE_READ, file->in))
        return -wait.error;
    file = wait.file;
    uint32_t changes = file->in != NULL ? file->in->changes : 0;
    long result = file->kind->read == NULL ? -EINVAL : file->kind->read(file, transfer);
    if (result <= 0 && (file->in == NULL || file->in->changes == changes)) {
        file_look(file, POLLIN); /* nothing there, or an end that stays */
        file_step_failed(&wait);
    }
    file_step_done(&wait);
    return result;
}

/* What does not fit at once is written in several steps. */
long file_write_step(struct file *file, int descriptor, struct transfer *transfer, uint64_t timeout,
                     const struct local *local)
{
    struct file_wait wait = {.descriptor = descriptor,
                             .blocks = file_blocks(file, transfer->flags),
                             .deadline = after_timeout(timeout),
                             .can = can_write,
                             .transfer = transfer,
                             .local = local};
    for (uint32_t i = 0; i < transfer->count; i++)
        if (transfer->parts[i].iov_len > 0)
            memory_access(transfer->parts[i].iov_base, transfer->parts[i].iov_len, false,
                          local->site);
    long written = 0, result;
    bool goes_on;
    do {
        if (!file_step(&wait, OP_FILE_WRITE, file->out != NULL ? file->out : file->in))
            return written > 0 ? written : -wait.error;
        file = wait.file;
        result = file->kind->write == NULL ? -EINVAL : file->kind->write(file, transfer);
        if (result == -EAGAIN) {
            file_look(file, POLLOUT);
            file_step_failed(&wait);
        }
        written += result > 0 ? result : 0;
        goes_on = result > 0 && wait.blocks && transfer->done < transfer->size;
        if (goes_on && !wait.inside)
            hold(&wait); /* in the middle of its call it keeps the file */
    } while (goes_on);
    file_step_done(&wait);
    if (result == -EPIPE)
        file_broken(transfer->flags, local->site);
    return written > 0 ? written : result;
}

/* The kernel would have sent SIGPIPE to the thread. */
void file_broken(int flags, uintptr_t site)
{
    siginfo_t info = {.si_signo = SIGPIPE, .si_code = SI_USER};
    if (flags & MSG_NOSIGNAL)
        return;
    info.si_pid = identity_process();
    signal_post(ex.current, &info);
    signals_handle();
}
