/* Common to all calls on modelled files: how they wait, and which of them keep a file that
 * is closed meanwhile. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include "base/assert.h"
#include "runtime/engine/attention.h"
#include "runtime/engine/identity.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"
#include "runtime/memory/memory.h"
#include "runtime/progress/await.h"
#include "runtime/progress/lock_poll.h"
#include "runtime/snapshot/program_state.h"
#include "runtime/time/alert.h"
#include "runtime/time/signal.h"
#include "runtime/time/virtual_clock.h"

enum { WAITERS_MAX = 8 };

thread_id file_asking;

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

bool file_blocks(const struct file *file, int flags)
{
    return !(file->flags & O_NONBLOCK) && !(flags & MSG_DONTWAIT);
}

static struct file *file_now(const struct file_wait *wait)
{
    return wait->inside ? wait->file : file_of(wait->descriptor);
}

struct file *file_also(const struct file_wait *wait)
{
    return wait->also == 0 ? NULL : wait->inside ? wait->also_file : file_of(wait->also - 1);
}

static bool is_nonblocking(const struct file *file)
{
    return file != NULL && (file->flags & O_NONBLOCK);
}

/* A call that has begun goes on to wait, whatever becomes of the flag. */
static bool blocks_now(const struct file_wait *wait)
{
    if (!wait->by_flag || wait->inside)
        return wait->blocks;
    return wait->blocks && !is_nonblocking(file_now(wait)) && !is_nonblocking(file_also(wait));
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
    if (!blocks_now(wait))
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
    if (!blocks_now(wait) || (file == NULL && wait->looks == NULL && wait->descriptor >= 0))
        return false;
    return wait->can == NULL || !wait->can(file, wait);
}

/* Nothing else was there: time has to bring it. */
static void pass_time(uint64_t deadline)
{
    CHECK(deadline != FILE_NEVER);
    clock_reach(deadline);
    timeout_give_way();
    ex.me->time.timeout_site = ex.pending[ex.current].site;
}

/* The steps of a close and of O_NONBLOCK have an outcome for each way in which waiting calls can
 * have begun. So they depend on the steps that led threads to such calls. */
static void note_callers(const struct file_wait *wait)
{
    if (!wait->blocks || wait->inside || deadline_of(wait, wait->file) != FILE_NEVER)
        return;
    if (wait->descriptor >= 0)
        step_touch(object_number(wait->file != NULL ? (const void *)wait->file : &file_numbers),
                   OP_ACCESS_READ);
    if (file_also(wait) != NULL)
        step_touch(object_number(file_also(wait)), OP_ACCESS_READ);
    for (uint32_t i = 0; i < wait->look_count; i++)
        if (wait->looks[i].file != NULL)
            step_touch(object_number(wait->looks[i].file), OP_ACCESS_READ);
}

/* The class of the step goes by all descriptors that the call names. */
static void name_step(const struct file_wait *wait)
{
    if (ex.me->object == NULL || (wait->descriptor < 0 && wait->look_count == 0))
        return;
    uint64_t name = 0;
    if (wait->descriptor >= 0)
        name += mix((uint64_t)wait->descriptor, 1);
    if (wait->also != 0)
        name += mix((uint64_t)wait->also - 1, 1);
    for (uint32_t i = 0; wait->descriptor < 0 && i < wait->look_count; i++)
        name += mix((uint64_t)wait->looks[i].descriptor, i + 1);
    ex.me->fact += name - ex.me->object->name;
}

bool file_step(struct file_wait *wait, enum op_kind kind, const struct source *object)
{
    const struct local *local = wait->local;
    uint32_t number = object == NULL ? NO_OBJECT : object_number(object);
    wait->file = file_now(wait);
    wait->thread = file_asking = ex.current;
    note_callers(wait);
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
    name_step(wait);
    if (wait->file == NULL && wait->descriptor >= 0) {
        source_look(&file_numbers);
        step_failed();
        wait->error = EBADF;
        return false;
    }
    wait->blocks = blocks_now(wait);
    if (wait->blocks && !wait->can(wait->file, wait))
        pass_time(deadline_of(wait, wait->file));
    return true;
}

void file_step_done(struct file_wait *wait)
{
    if (likely(!wait->inside))
        return;
    wait->inside = false;
    state_is_unknown();
    watch_outside(); /* no descriptor leads to what it has changed */
    if (wait->file != NULL && wait->looks == NULL) {
        wait->file->inside--;
        file_release(wait->file);
    }
    if (wait->also_file != NULL) {
        wait->also_file->inside--;
        file_release(wait->also_file);
    }
    for (uint32_t i = 0; i < wait->look_count; i++)
        if (wait->looks[i].file != NULL) {
            wait->looks[i].file->inside--;
            file_release(wait->looks[i].file);
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
        return wait->descriptor == descriptor || wait->also == descriptor + 1;
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

/* A close concerns calls on that descriptor; O_NONBLOCK those on the file that heed it. */
static bool is_stuck_on(thread_id thread, const struct file_wait *change)
{
    const struct file_wait *wait = ex.threads[thread].mutex;
    if (!file_op_waits(ex.pending[thread].kind) || wait->inside)
        return false;
    const struct file *changed = file_of(change->descriptor);
    bool concerned = change->unblocks ? wait->by_flag && (file_now(wait) == changed ||
                                                          file_also(wait) == changed)
                                      : refers(wait, change->descriptor);
    return concerned && blocks_now(wait) && !file_can_go(wait, thread);
}

void file_abandon(struct file_wait *wait)
{
    wait->file = file_now(wait);
    file_step_done(wait);
    if (wait->opened != 0)
        file_unopen(wait->opened - 1);
}

/* A thread that waits for a file when another one closes it or sets O_NONBLOCK is either in its
 * call already, and then goes on to wait for that file, or comes too late. One bit for each of
 * them. */
uint16_t file_close_choices(thread_id closing)
{
    const struct file_wait *wait = ex.threads[closing].mutex;
    uint32_t waiters = 0;
    if (file_of(wait->descriptor) == NULL)
        return 1;
    THREADS_EACH(thread, &ex.live)
    waiters += thread != closing && is_stuck_on(thread, wait);
    if (waiters > WAITERS_MAX)
        refuse_call(wait->unblocks ? "fcntl" : "close",
                    "more than 8 threads wait for this descriptor; test with fewer",
                    ex.pending[closing].site);
    return (uint16_t)(1u << waiters);
}

uint16_t file_change_choices(thread_id changing)
{
    const struct file_wait *wait = ex.threads[changing].mutex;
    return wait != NULL && wait->unblocks ? file_close_choices(changing) : 1;
}

static void hold(struct file_wait *wait)
{
    wait->also_file = file_also(wait);
    if (wait->also_file != NULL)
        wait->also_file->inside++;
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

void file_decide_waiters(const struct file_wait *change)
{
    step_touch(object_number(file_of(change->descriptor)), OP_ACCESS_WRITE);
    uint32_t late = step_choice();
    thread_set live = ex.live;
    THREADS_EACH(thread, &live)
    {
        if (thread == ex.current || !is_stuck_on(thread, change))
            continue;
        if (!(late & 1))
            hold(ex.threads[thread].mutex);
        late >>= 1;
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
                             .blocks = !(transfer->flags & MSG_DONTWAIT),
                             .by_flag = true,
                             .deadline = after_timeout(timeout),
                             .can = can_read,
                             .transfer = transfer,
                             .local = local};
    if (!file_step(&wait, OP_FILE_READ, file_meant(file, descriptor, false)))
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

/* Data that does not fit at once is written in several steps. */
long file_write_step(struct file *file, int descriptor, struct transfer *transfer, uint64_t timeout,
                     const struct local *local)
{
    struct file_wait wait = {.descriptor = descriptor,
                             .blocks = !(transfer->flags & MSG_DONTWAIT),
                             .by_flag = true,
                             .deadline = after_timeout(timeout),
                             .can = can_write,
                             .transfer = transfer,
                             .local = local};
    for (uint32_t i = 0; i < transfer->count; i++)
        if (transfer->parts[i].iov_len > 0)
            memory_read_before(OP_FILE_WRITE, transfer->parts[i].iov_base,
                               transfer->parts[i].iov_len, local->site);
    long written = 0, result;
    bool goes_on;
    do {
        if (!file_step(&wait, OP_FILE_WRITE, file_meant(file, descriptor, true)))
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

int file_set_blocking(int descriptor, bool blocks, const struct local *local)
{
    struct file_wait wait = {
        .descriptor = descriptor, .unblocks = !blocks, .deadline = FILE_NEVER, .local = local};
    if (!file_step(&wait, OP_FILE_CHANGE, file_meant(file_of(descriptor), descriptor, false)))
        return file_fails(wait.error);
    file_decide_waiters(&wait);
    wait.file->flags = (wait.file->flags & ~O_NONBLOCK) | (blocks ? 0 : O_NONBLOCK);
    if (wait.file->in != NULL)
        source_touch(wait.file->in);
    if (wait.file->out != NULL && wait.file->out != wait.file->in)
        source_touch(wait.file->out);
    return 0;
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
