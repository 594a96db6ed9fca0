#!/usr/bin/env python3
"""What the kernel knows of the process is the same when each execution begins: a program that changes it and looks
at it before is explored alike with reset and with fork isolation. Whatever a reset cannot put back makes the search go
on with fork; what outlives every process, and system calls that nobody knows, are refused. The cases cover each row of
process_state.def."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
from engine import bench_run, fail, run, shown  # noqa: E402

TABLE = ROOT / "src/runtime/snapshot/process_state.def"
SOURCE = """
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/io.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static char big[1 << 16] __attribute__((aligned(4096))) = "x";

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static int attribute(int option)
{
    int value = -1;
    prctl(option, &value);
    return value;
}

static int name_of_thread(void)
{
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    return strcmp(name, "changed") == 0;
}

static int processors(void)
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    return CPU_COUNT(&set);
}

static void one_processor(int by_number)
{
    cpu_set_t all, set;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&set);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&set) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &set);
    by_number ? (void)syscall(SYS_sched_setaffinity, 0, sizeof set, &set)
              : (void)sched_setaffinity(0, sizeof set, &set);
}

static int limit(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    return (int)limit.rlim_cur;
}

static int here(void)
{
    char path[4096];
    return getcwd(path, sizeof path) != NULL && strcmp(path, "/") == 0;
}

static int mask(void)
{
    int mask = (int)umask(0);
    umask((unsigned)mask);
    return mask;
}

static int segments(int key)
{
    return shmget(key, 0, 0) >= 0;
}

static int shared_name(void)
{
    int file = shm_open("/bohr-process-state", O_RDWR, 0);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static int filtered(void)
{
    errno = 0;
    return syscall(SYS_getgid) == -1 && errno == ENOTBLK;
}

static void filter(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getgid, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOTBLK),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static int locked(void)
{
    char line[256];
    int size = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, file) != NULL)
        sscanf(line, "VmLck: %d", &size);
    fclose(file);
    return size > 0;
}

static int read_state(int which)
{
    switch (which) {
    READS
    }
    abort();
}

static void change(int which)
{
    switch (which) {
    CHANGES
    }
}

int main(int count, char **arguments)
{
    pthread_t threads[2];
    int which = atoi(arguments[1]), before = read_state(which);
    if (count == 2) {
        printf("%d", before);
        return 0;
    }
    assert(before == atoi(arguments[2]));
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    change(which);
    assert(atoi(arguments[3]) == 0 || read_state(which) != before);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
RESET, FORK, REFUSED = "reset", "fork", "refused"
# state, how it is read, how it is changed, what the search does; "": the change cannot be seen here
CASES = [
    ("DUMPABLE", "prctl(PR_GET_DUMPABLE)", "prctl(PR_SET_DUMPABLE, 0)", RESET),
    ("DUMPABLE", "prctl(PR_GET_DUMPABLE)", "syscall(SYS_prctl, PR_SET_DUMPABLE, 0)", RESET),
    ("THREAD_NAME", "name_of_thread()", 'prctl(PR_SET_NAME, "changed")', RESET),
    ("THREAD_NAME", "name_of_thread()", 'pthread_setname_np(pthread_self(), "changed")', RESET),
    ("DEATH_SIGNAL", "attribute(PR_GET_PDEATHSIG)", "prctl(PR_SET_PDEATHSIG, SIGUSR1)", RESET),
    ("SUBREAPER", "attribute(PR_GET_CHILD_SUBREAPER)", "prctl(PR_SET_CHILD_SUBREAPER, 1)", RESET),
    ("KEEPS_CAPABILITIES", "prctl(PR_GET_KEEPCAPS)", "prctl(PR_SET_KEEPCAPS, 1)", RESET),
    ("TIMER_SLACK", "prctl(PR_GET_TIMERSLACK)", "prctl(PR_SET_TIMERSLACK, 12345)", RESET),
    ("HUGE_PAGES", "prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0)", "prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)", RESET),
    ("NICENESS", "getpriority(PRIO_PROCESS, 0)", "nice(1)", RESET),
    ("NICENESS", "getpriority(PRIO_PROCESS, 0)", "setpriority(PRIO_PROCESS, 0, 7)", RESET),
    ("NICENESS", "getpriority(PRIO_PROCESS, 0)", "syscall(SYS_setpriority, PRIO_PROCESS, 0, 7)", RESET),
    ("PROCESSORS", "processors()", "one_processor(0)", RESET),
    ("PROCESSORS", "processors()", "one_processor(1)", RESET),
    ("FOLDER", "here()", 'if (chdir("/") != 0) abort()', RESET),
    ("FOLDER", "here()", 'syscall(SYS_chdir, "/")', RESET),
    ("CREATION_MASK", "mask()", "umask(0123)", RESET),
    ("CREATION_MASK", "mask()", "syscall(SYS_umask, 0123)", RESET),
    ("DESCRIPTORS", "fcntl(1, F_GETFL) & O_NONBLOCK", "fcntl(1, F_SETFL, O_NONBLOCK)", RESET),
    ("DESCRIPTORS", "fcntl(1, F_GETFL) & O_NONBLOCK", "{ int one = 1; ioctl(1, FIONBIO, &one); }", RESET),
    ("DESCRIPTORS", "fcntl(5, F_GETFD)", "syscall(SYS_dup2, 1, 5)", RESET),
    ("SEGMENTS", "segments(0x5ea5)", "shmget(0x5ea5, 4096, IPC_CREAT | 0600)", RESET),
    ("SEGMENTS", "segments(0x5ea6)", "syscall(SYS_shmget, 0x5ea6, 4096, IPC_CREAT | 0600)", RESET),
    ("SEGMENTS", "shared_name()", 'shm_open("/bohr-process-state", O_CREAT | O_RDWR, 0600)', RESET),
    ("ATTRIBUTES", "prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)", "prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)", FORK),
    ("ATTRIBUTES", "prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)", "syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)",
     FORK),
    ("FILTERS", "filtered()", "filter()", FORK),
    ("LIMITS", "limit()", "setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0})", FORK),
    ("LIMITS", "limit()", "syscall(SYS_setrlimit, RLIMIT_CORE, &(struct rlimit){0, 0})", FORK),
    ("PERSONALITY", "personality(0xffffffff) & ADDR_LIMIT_3GB", "personality(personality(0xffffffff) | ADDR_LIMIT_3GB)",
     FORK),
    ("LOCKED_MEMORY", "locked()", "mlock(big, sizeof big)", FORK),
    ("ADVICE", "0", "madvise(big, sizeof big, MADV_DONTNEED)", FORK),
    ("BREAK", "0", "brk(sbrk(0))", FORK),
    ("SCHEDULING", "sched_getscheduler(0)", "sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0})", FORK),
    ("SCHEDULING", "sched_getscheduler(0)",
     "syscall(SYS_sched_setscheduler, 0, SCHED_BATCH, &(struct sched_param){0})", FORK),
    ("PLACEMENT", "0", "syscall(SYS_set_mempolicy, 0, 0, 0)", FORK),
    ("BARRIERS", "0", "syscall(SYS_membarrier, 16, 0)", FORK),
    ("PORTS", "0", "ioperm(0x80, 1, 1)", FORK),
    ("NAMESPACES", "0", "unshare(CLONE_FS)", FORK),
    ("CREDENTIALS", "0", "setuid(getuid())", FORK),
    ("CREDENTIALS", "0", "syscall(SYS_setresgid, -1, -1, -1)", FORK),
    ("ROOT", "0", 'chroot("/nowhere")', FORK),
    ("MACHINE", "0", 'sethostname("x", 1)', REFUSED),
    ("MACHINE", "0", 'syscall(SYS_sethostname, "x", 1)', REFUSED),
    ("MACHINE", "0", 'mount("", "/", "", 0, "")', REFUSED),
    ("KEYS", "0", "syscall(SYS_keyctl, 0, 0, 0)", REFUSED),
    ("TRACING", "0", "ptrace(PTRACE_TRACEME, 0, 0, 0)", REFUSED),
    ("FILE_SIGNALS", "0", "fcntl(1, F_SETOWN, getpid())", REFUSED),
    ("FILE_SIGNALS", "0", "syscall(SYS_fcntl, 1, F_SETSIG, SIGUSR1)", REFUSED),
    ("THREAD_AREA", "0", "syscall(SYS_set_robust_list, 0, 0)", REFUSED),
    ("NOTHING", "0", "if (syscall(SYS_getuid) != getuid()) abort()", RESET),
    ("unknown", "0", "syscall(444444)", REFUSED),
]
AS_ROOT = [
    ("CREDENTIALS", "(int)geteuid()", "setuid(65534)", FORK),
    ("CREDENTIALS", "(int)getegid()", "if (setresgid(65534, 65534, 65534) != 0) abort()", FORK),
    ("CREDENTIALS", "getgroups(0, NULL)", "setgroups(3, (gid_t[]){1, 2, 3})", FORK),
    ("ROOT", 'access("/proc/self/exe", F_OK)', 'if (chroot("/tmp") != 0) abort()', FORK),
]
UNTESTED = {"TERMINAL"}  # needs a terminal that the program inherits


def states():
    return set(re.findall(r"^PROCESS_STATE\((\w+),", TABLE.read_text(), re.M))


def check_case(bench, program, number, case):
    state, read, change, expected = case
    value = subprocess.run([program, str(number)], check=True, capture_output=True, text=True).stdout
    seen = int(read != "0" and expected != REFUSED)
    if state == "PROCESSORS" and value == "1":
        seen = 0
    if "setrlimit" in change.lower() and value == "0":
        seen = 0
    arguments = [str(number), value, str(seen)]
    options = ["-s", "dfs", "-k"]
    command = shown([bench.bohr, "run", *options, program, *arguments])
    if expected == REFUSED:
        done = run([bench.bohr, "run", "--no-progress", *options, "-o", bench.folder / "out", program, *arguments])
        if done.status != 3:
            fail(f"{state}: {change} is refused", command=command, expected="exit status 3", actual=done.text())
        return
    alone = bench.explore(options, program, arguments=arguments, status=0)
    forked = bench.explore([*options, "--isolate", "fork"], program, arguments=arguments, status=0)
    if alone["isolate"] != expected:
        fail(f"{state}: {change}", command=command, expected=f"isolation by {expected}", actual=alone["isolate"])
    bench.compare(f"{state}: {change}: reset and fork", forked, alone, ["executions", "classes", "fingerprint"],
                  command=command)


def check(bench):
    cases = CASES + (AS_ROOT if os.geteuid() == 0 else [])
    missing = states() - {case[0] for case in cases} - UNTESTED
    if missing:
        fail("each row of the table has a case", expected="none without", actual=", ".join(sorted(missing)))
    source = SOURCE.replace("READS", "\n".join(f"    case {i}: return {c[1]};" for i, c in enumerate(cases)))
    source = source.replace("CHANGES", "\n".join(f"    case {i}: {c[2]}; return;" for i, c in enumerate(cases)))
    program = bench.build("state", source)
    for number, case in enumerate(cases):
        check_case(bench, program, number, case)
    print(f"ok   {len(cases)} changes of {len(states())} pieces of state")


bench_run(check)
