#define _GNU_SOURCE
#include "runtime/snapshot/process_state.h"

#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "base/out.h"
#include "runtime/engine/refuse.h"
#include "runtime/engine/runtime.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/shared_state.h"
#include "runtime/snapshot/world.h"

enum back { KEPT, MODELLED, PUT_BACK, BY_FORK, REFUSED };

static const struct {
    const char *what;
    enum back back;
} states[PROCESS_STATES] = {
#define PROCESS_STATE(name, what, back) [PROCESS_##name] = {what, back},
#define PROCESS_SYSCALL(call, state)
#include "runtime/snapshot/process_state.def"
#undef PROCESS_STATE
#undef PROCESS_SYSCALL
};

static _Noreturn void refuse_change(enum process_state state, const char *call, uintptr_t site)
{
    static char reason[128]; /* the process ends */
    struct out out = out_to(-1, reason, sizeof reason);
    out_text(&out, "this changes ");
    out_text(&out, states[state].what);
    out_text(&out, ", which is not modelled; leave it out when testing");
    refuse_call(call, out_string(&out), site);
}

void process_changes(enum process_state state, const char *call, uintptr_t site)
{
    watch_outside();
    switch (states[state].back) {
    case KEPT:
    case MODELLED:
    case PUT_BACK:
        return;
    case BY_FORK:
        world_cannot_undo(call, site);
        return;
    case REFUSED:
        refuse_change(state, call, site);
    }
}

static _Noreturn void refuse_number(long number, uintptr_t site)
{
    static char reason[128];
    struct out out = out_to(-1, reason, sizeof reason);
    out_text(&out, "number ");
    out_number(&out, (uint64_t)number);
    out_text(&out, " is not known to leave the process as it is; use a function of libc");
    refuse_call("syscall", out_string(&out), site);
}

void process_syscall(long number, uintptr_t site)
{
    switch (number) {
#define PROCESS_STATE(name, what, back)
#define PROCESS_SYSCALL(call, state)                                                               \
    case SYS_##call:                                                                               \
        process_changes(PROCESS_##state, #call, site);                                             \
        return;
#include "runtime/snapshot/process_state.def"
#undef PROCESS_STATE
#undef PROCESS_SYSCALL
    }
    refuse_number(number, site);
}

/* Attributes that a reset puts back: how they are read and set, and where the value is kept. */
static const struct {
    int get, set;
} put_back[PROCESS_KEPT_MAX] = {
    {PR_GET_KEEPCAPS, PR_SET_KEEPCAPS},
    {PR_GET_TIMERSLACK, PR_SET_TIMERSLACK},
    {PR_GET_THP_DISABLE, PR_SET_THP_DISABLE},
};

static long prctl_call(int option, long value)
{
    return os_call(SYS_prctl, option, value, 0, 0, 0, 0);
}

static void keep(int which)
{
    struct kept_state *kept = &rt.process.process_kept[which];
    if (!kept->changed)
        *kept = (struct kept_state){.changed = true, .value = prctl_call(put_back[which].get, 0)};
    rt.process.process_changed = true;
}

void process_put_back(void)
{
    rt.process.process_changed = false;
    for (int i = 0; i < PROCESS_KEPT_MAX; i++) {
        if (rt.process.process_kept[i].changed)
            prctl_call(put_back[i].set, rt.process.process_kept[i].value);
        rt.process.process_kept[i].changed = false;
    }
}

static int fails(int error)
{
    errno = error;
    return -1;
}

static int give(long out, int value)
{
    if (out == 0)
        return fails(EFAULT);
    *(int *)out = value;
    return 0;
}

static int set_name(const char *name)
{
    char *label = ex.me->process.label;
    size_t i = 0;
    for (; i < THREAD_NAME_SIZE - 1 && name[i] != 0; i++)
        label[i] = name[i];
    memset(label + i, 0, THREAD_NAME_SIZE - i);
    return 0;
}

static bool only_looks(int option)
{
    switch (option) {
    case PR_GET_UNALIGN:
    case PR_GET_KEEPCAPS:
    case PR_GET_FPEMU:
    case PR_GET_FPEXC:
    case PR_GET_TIMING:
    case PR_GET_ENDIAN:
    case PR_GET_SECCOMP:
    case PR_CAPBSET_READ:
    case PR_GET_TSC:
    case PR_GET_SECUREBITS:
    case PR_GET_TIMERSLACK:
    case PR_MCE_KILL_GET:
    case PR_GET_NO_NEW_PRIVS:
    case PR_GET_TID_ADDRESS:
    case PR_GET_THP_DISABLE:
    case PR_GET_SPECULATION_CTRL:
    case PR_GET_IO_FLUSHER:
    case PR_SET_VMA: /* names of mappings */
        return true;
    default:
        return false;
    }
}

static int kept_attribute(int option)
{
    for (int i = 0; i < PROCESS_KEPT_MAX; i++)
        if (put_back[i].set == option)
            return i;
    return -1;
}

int process_attribute(int option, long a, long b, long c, long d,
                      int (*real)(int, long, long, long, long), uintptr_t site)
{
    if (option != PR_SET_NAME && option != PR_GET_NAME)
        shared_state_call(0, SHARED_PROCESS, -1, site);
    switch (option) {
    case PR_SET_NAME:
        return a == 0 ? fails(EFAULT) : set_name((const char *)a);
    case PR_GET_NAME:
        if (ex.me->process.label[0] == 0)
            break;
        memcpy((void *)a, ex.me->process.label, THREAD_NAME_SIZE);
        return 0;
    case PR_SET_PDEATHSIG: /* the worker has its own */
        if (a < 0 || a > 64)
            return fails(EINVAL);
        ex.process.attributes.death_signal = (uint8_t)a;
        return 0;
    case PR_GET_PDEATHSIG:
        return give(a, ex.process.attributes.death_signal);
    case PR_SET_CHILD_SUBREAPER:
        ex.process.attributes.subreaper = a != 0;
        return 0;
    case PR_GET_CHILD_SUBREAPER:
        return give(a, ex.process.attributes.subreaper);
    case PR_SET_DUMPABLE:
        if (a != 0 && a != 1)
            return fails(EINVAL);
        ex.process.attributes.dumpable_set = true;
        ex.process.attributes.dumpable = (uint8_t)a;
        return 0;
    case PR_GET_DUMPABLE:
        if (!ex.process.attributes.dumpable_set)
            break;
        return ex.process.attributes.dumpable;
    default:
        if (kept_attribute(option) >= 0)
            keep(kept_attribute(option));
        else if (!only_looks(option))
            process_changes(PROCESS_ATTRIBUTES, "prctl", site);
    }
    return real(option, a, b, c, d);
}

int process_becomes(long number, long a, long b, long c, const char *call, uintptr_t site)
{
    process_changes(PROCESS_CREDENTIALS, call, site);
    if (rt.carriers.kernel_threads && ex.thread_count > 1)
        refuse_call(call,
                    "users and groups of several kernel threads are not modelled; use --carrier "
                    "fibers, or call it before threads are created",
                    site);
    long result = os_call(number, a, b, c, 0, 0, 0);
    return result < 0 ? fails((int)-result) : 0;
}

bool process_only_advises(int advice)
{
    switch (advice) {
    case MADV_NORMAL:
    case MADV_RANDOM:
    case MADV_SEQUENTIAL:
    case MADV_WILLNEED:
    case MADV_HUGEPAGE:
    case MADV_NOHUGEPAGE:
    case MADV_DONTDUMP:
    case MADV_DODUMP:
    case MADV_COLD:
    case MADV_PAGEOUT:
    case MADV_POPULATE_READ:
        return true;
    default:
        return false;
    }
}

bool process_sets_terminal(unsigned long command)
{
    switch (command) {
    case TCSETS:
    case TCSETSW:
    case TCSETSF:
    case TCSETA:
    case TCSETAW:
    case TCSETAF:
    case TIOCSWINSZ:
    case TIOCSCTTY:
    case TIOCNOTTY:
    case TIOCSPGRP:
    case TIOCSTI:
    case TIOCCONS:
    case TIOCEXCL:
    case TIOCNXCL:
    case TIOCSETD:
        return true;
    default:
        return false;
    }
}

void process_check_terminal(int descriptor, const char *call, uintptr_t site)
{
    struct termios settings;
    if (world_inherited(descriptor) &&
        os_call(SYS_ioctl, descriptor, TCGETS, (long)&settings, 0, 0, 0) == 0)
        process_changes(PROCESS_TERMINAL, call, site);
}

void process_check_control(int command, uintptr_t site)
{
    switch (command) {
    case F_SETOWN:
    case F_SETOWN_EX:
    case F_SETSIG:
    case F_SETLEASE:
    case F_NOTIFY:
        process_changes(PROCESS_FILE_SIGNALS, "fcntl", site);
    }
}

struct made { /* by the execution, and there when its process has ended */
    struct made *next;
    int segment; /* of shmget; negative: a name of shm_open */
    char name[];
};

enum { NAME_MAX_SHM = 255 };

static void add_made(int segment, const char *name)
{
    size_t size = strlen(name) + 1;
    struct made *made = execution_take(sizeof *made + size);
    made->segment = segment;
    memcpy(made->name, name, size);
    made->next = ex.snapshot.made;
    ex.snapshot.made = made;
}

int process_makes_segment(int key, size_t size, int flags, int (*real)(int, size_t, int))
{
    bool was_there = key != IPC_PRIVATE && os_call(SYS_shmget, key, 0, 0, 0, 0, 0) >= 0;
    int segment = real(key, size, flags);
    if (segment >= 0 && !was_there)
        add_made(segment, "");
    return segment;
}

/* As glibc names the file. */
static const char *path_of(char *path, const char *name)
{
    struct out out = out_to(-1, path, NAME_MAX_SHM + 16);
    while (*name == '/')
        name++;
    out_text(&out, "/dev/shm/");
    out_text(&out, name);
    return out_string(&out);
}

int process_makes_name(const char *name, int flags, unsigned mode,
                       int (*real)(const char *, int, unsigned))
{
    char path[NAME_MAX_SHM + 16];
    world_descriptors();
    bool may_make = flags & O_CREAT && strlen(name) <= NAME_MAX_SHM;
    bool is_new = may_make && world_path_error(path_of(path, name)) == ENOENT;
    int file = real(name, flags, mode);
    if (file >= 0 && is_new)
        add_made(-1, path);
    return file;
}

void process_remove_made(void)
{
    for (const struct made *made = ex.snapshot.made; made != NULL; made = made->next) {
        if (made->segment >= 0)
            os_call(SYS_shmctl, made->segment, IPC_RMID, 0, 0, 0, 0);
        else
            os_call(SYS_unlink, (long)made->name, 0, 0, 0, 0, 0);
    }
    ex.snapshot.made = NULL;
}
