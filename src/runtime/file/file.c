/* Descriptors of modelled files. */
#define _GNU_SOURCE
#include "runtime/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os.h"
#include "base/out.h"
#include "runtime/engine/object.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/file/descriptor.h"
#include "runtime/file/file_calls.h"
#include "runtime/heap/heap.h"
#include "runtime/memory/api.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/world.h"

enum { LABEL_MAX = 64 };

/* The program's state: put back with the rest. */
static struct file *table[DESCRIPTORS_MAX];
static struct {
    const struct source *in, *out;
} meant[DESCRIPTORS_MAX]; /* when it was closed last, and was a file of ours */
struct source file_numbers;

struct file *file_of(int descriptor)
{
    return (unsigned)descriptor < DESCRIPTORS_MAX ? table[descriptor] : NULL;
}

bool file_is_gone(int descriptor)
{
    return (unsigned)descriptor < DESCRIPTORS_MAX && table[descriptor] == NULL &&
           (meant[descriptor].in != NULL || meant[descriptor].out != NULL) &&
           os_call(SYS_fcntl, descriptor, F_GETFD, 0, 0, 0, 0) < 0;
}

static const struct source *either(const struct source *first, const struct source *second)
{
    return first != NULL ? first : second != NULL ? second : &file_numbers;
}

const struct source *file_meant(const struct file *file, int descriptor, bool writes)
{
    const struct source *in = NULL, *out = NULL;
    if (file != NULL) {
        in = file->in;
        out = file->out;
    } else if ((unsigned)descriptor < DESCRIPTORS_MAX) {
        in = meant[descriptor].in;
        out = meant[descriptor].out;
    }
    return writes ? either(out, in) : either(in, out);
}

/* In contrast to poll, this is no cancellation point. */
static bool look_step(struct file_wait *wait, const struct source *object)
{
    bool disabled = ex.me->cancel.disabled;
    ex.me->cancel.disabled = true;
    bool found = file_step(wait, OP_FILE_POLL, object);
    ex.me->cancel.disabled = disabled;
    return found;
}

bool file_is_back(int descriptor, const char *call, const struct local *local)
{
    static const char *const take_it[] = {"read", "write", "close", "dup", "fcntl", "fcntl64"};
    for (size_t i = 0; i < sizeof take_it / sizeof take_it[0]; i++)
        if (strcmp(call, take_it[i]) == 0)
            return true;
    struct file_wait wait = {.descriptor = descriptor, .deadline = FILE_NEVER, .local = local};
    if (!look_step(&wait, &file_numbers))
        return false;
    source_look(&file_numbers);
    return true;
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

void *file_memory(size_t size, uintptr_t site)
{
    void *memory = heap_take_own(size, 16, site);
    if (memory == NULL)
        refuse("a thread has no memory left for files; test with fewer", site);
    memset(memory, 0, size);
    return memory;
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

static void announce_numbers(uintptr_t site)
{
    announce_on(OP_FILE_OPEN, object_number(&file_numbers), site);
    api_name(&file_numbers, sizeof file_numbers, "descriptors");
}

int file_open(struct file *file, bool close_on_exec, uintptr_t site)
{
    announce_numbers(site);
    source_touch(&file_numbers);
    int descriptor = place(file, close_on_exec);
    if (descriptor < 0)
        return file_fails(-descriptor);
    file_name(file->in, file->kind->name, descriptor, -1);
    return descriptor;
}

int file_open_two(struct file *const files[2], int descriptors[2], bool close_on_exec,
                  uintptr_t site)
{
    announce_numbers(site);
    source_touch(&file_numbers);
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

void file_release(struct file *file)
{
    if (file->descriptors > 0 || file->inside > 0 || file->closed)
        return;
    file->closed = true;
    if (file->kind->close != NULL)
        file->kind->close(file);
}

/* In a step: the descriptor means nothing any more. */
static void forget(int descriptor)
{
    struct file *file = table[descriptor];
    if (file == NULL)
        return;
    file_decide_waiters(&(struct file_wait){.descriptor = descriptor});
    table[descriptor] = NULL;
    meant[descriptor].in = file->in;
    meant[descriptor].out = file->out;
    if (file->in != NULL)
        step_touch(object_number(file->in), OP_ACCESS_WRITE);
    if (file->out != NULL && file->out != file->in)
        step_touch(object_number(file->out), OP_ACCESS_WRITE);
    file->descriptors--;
    file_release(file);
}

void file_unopen(int descriptor)
{
    struct file *file = table[descriptor];
    table[descriptor] = NULL;
    file->descriptors--;
    close_placeholder(descriptor);
    file_release(file);
}

static void announce_close(int descriptor, uintptr_t site)
{
    struct file_wait wait = {.descriptor = descriptor};
    ex.me->mutex = &wait;
    announce_on(OP_FILE_CLOSE, object_number(file_meant(file_of(descriptor), descriptor, false)),
                site);
    file_named_by(descriptor);
}

int file_close(int descriptor, uintptr_t site)
{
    announce_close(descriptor, site);
    descriptor_closes(descriptor, site);
    if (file_of(descriptor) == NULL) { /* another thread was faster */
        source_look(&file_numbers);
        step_failed();
        return file_fails(EBADF);
    }
    source_touch(&file_numbers);
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
    descriptors_go(first, last);
    long result = world_close_range(first, last);
    return result < 0 ? file_fails((int)-result) : 0;
}

int file_dup(int descriptor, int lowest, bool close_on_exec, uintptr_t site)
{
    announce_numbers(site);
    struct file *file = file_of(descriptor);
    if (file == NULL) {
        source_look(&file_numbers);
        step_failed();
        return file_fails(EBADF);
    }
    source_touch(&file_numbers);
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
    source_touch(&file_numbers);
    ex.me->cancel.disabled = disabled;
    descriptor_uses(from, site);
    descriptor_replaced(from, to, site);
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

static int set_flags(int descriptor, int flags, const struct local *local)
{
    if (flags & O_ASYNC)
        file_refuse(descriptor, "fcntl", local->site);
    return file_set_blocking(descriptor, !(flags & O_NONBLOCK), local);
}

static int get_flags(int descriptor, const struct local *local)
{
    struct file_wait wait = {.descriptor = descriptor, .deadline = FILE_NEVER, .local = local};
    if (!look_step(&wait, file_meant(file_of(descriptor), descriptor, false)))
        return file_fails(wait.error);
    file_look(wait.file, POLLIN);
    file_step_failed(&wait);
    return wait.file->flags;
}

int file_control(int descriptor, int command, long argument, const struct local *local)
{
    struct file *file = file_of(descriptor);
    uintptr_t site = local->site;
    bool takes_step = command == F_DUPFD || command == F_DUPFD_CLOEXEC || command == F_GETFL ||
                      command == F_SETFL;
    if (file == NULL && !takes_step && !file_is_back(descriptor, "F_", local))
        return file_fails(EBADF);
    file = file_of(descriptor);
    switch (command) {
    case F_DUPFD:
        return file_dup(descriptor, (int)argument, false, site);
    case F_DUPFD_CLOEXEC:
        return file_dup(descriptor, (int)argument, true, site);
    case F_GETFL:
        return get_flags(descriptor, local);
    case F_SETFL:
        return set_flags(descriptor, (int)argument, local);
    case F_SETFD: /* a flag of the kernel's: reset makes the placeholder again */
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
    for (int i = 0; i < 3 && readable_text(path) > 0; i++) {
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
