#!/usr/bin/env python3
"""A call that is not modelled ends the search with exit status 3, its name, its place and what can be done, wherever
it is made: in a thread or in main, in every isolation mode, in programs without instrumentation
too. If the call is not made in every execution, those before it do not make a claim. All functions that the table
calls refused are among the calls, and what `bohr list functions` says of them is what they say."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

HEAD = """
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
static atomic_int once;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct timespec soon;
static int word;
static char stack[65536];
static void handle(int number)
{
    word = number;
}
static struct sockaddr_in far_away = {.sin_family = AF_INET, .sin_addr.s_addr = 0x08080808};
static int pipe_end(void)
{
    int ends[2];
    return pipe(ends) == 0 ? ends[1] : -1;
}
static int nothing(void *unused)
{
    return unused != NULL;
}
static void nobody(void)
{
}
static int file(void)
{
    return open("locked", O_RDWR | O_CREAT, 0600);
}
/* A file that a lock was put on by another descriptor. */
static int locked(int whole)
{
    int other = file();
    if (whole)
        flock(other, LOCK_EX);
    else
        fcntl(other, F_OFD_SETLK, &(struct flock){.l_type = F_WRLCK});
    return file();
}
int __sigpause(int mask, int is_signal);
int pivot_root(const char *new_root, const char *old);
static int choice;
static struct aiocb request;
static struct aiocb64 request64;
static const struct aiocb *requests[] = {&request};
static const struct aiocb64 *requests64[] = {&request64};
static struct gaicb look_ups, *look_up = &look_ups;
"""
TAIL = """
static void make_call(void)
{
    switch (choice) {
#line 1 "called.c"
CALLS
    }
}
static void *work(void *unused)
{
    if (atomic_fetch_add(&once, 1) == 1 || ALWAYS)
        make_call();
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    choice = atoi(argv[argc - 1]);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
"""
# the call, and what the message names
CALLS = [
    ("semget(IPC_PRIVATE, 2, 0600)", "semget"),
    ("syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0)", "syscall"),
    ("syscall(SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, stack + 60000)", "syscall"),
    ("syscall(SYS_clone3, stack, 64)", "syscall"),
    ("clock_settime(CLOCK_REALTIME, &soon)", "clock_settime"),
    ("kill(getppid(), SIGTERM)", "kill"),
    ("daemon(0, 0)", "daemon"),
    ("(void)(socket(AF_INET, SOCK_STREAM, 0), fork())", "fork"),
    ("(void)(socket(AF_INET, SOCK_STREAM, 0), posix_spawn(&word, \"/bin/true\", NULL, NULL, NULL, "
     "NULL))", "posix_spawn"),
    ("(void)(socket(AF_INET, SOCK_STREAM, 0), system(\"true\"))", "system"),
    ("(void)(socket(AF_INET, SOCK_STREAM, 0), popen(\"true\", \"r\"))", "popen"),
    ("syscall(SYS_fork)", "syscall"),
    ("timerfd_settime(timerfd_create(CLOCK_REALTIME, 0), TFD_TIMER_CANCEL_ON_SET, "
     "&(struct itimerspec){0}, NULL)", "timerfd_settime"),
    ("poll(&(struct pollfd){inotify_init(), POLLIN}, 1, -1)", "poll"),
    ("epoll_ctl(epoll_create(1), EPOLL_CTL_ADD, inotify_init(), &(struct epoll_event){0})",
     "epoll_ctl"),
    ("dup2(pipe_end(), 1)", "dup2"),
    ("fcntl(pipe_end(), F_SETOWN, getpid())", "fcntl"),
    ("ioctl(pipe_end(), FIOASYNC, &word)", "ioctl"),
    ("socket(AF_NETLINK, SOCK_RAW, 0)", "socket"),
    ("connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&far_away, sizeof far_away)", "connect"),
    ("sendto(socket(AF_INET, SOCK_DGRAM, 0), stack, 1, 0, (void *)&far_away, sizeof far_away)",
     "sendto"),
    ("setsockopt(socket(AF_INET, SOCK_STREAM, 0), SOL_SOCKET, SO_REUSEPORT, &word, sizeof word)",
     "setsockopt"),
    ("sendmsg(socket(AF_UNIX, SOCK_DGRAM, 0), &(struct msghdr){.msg_controllen = 16}, 0)",
     "sendmsg"),
    ("send(socket(AF_INET, SOCK_STREAM, 0), stack, 1, MSG_OOB)", "send"),
    ("clone(nothing, stack + 60000, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, NULL)", "clone"),
    ("sigset(SIGUSR1, handle)", "sigset"),
    ("__sigpause(0, 0)", "__sigpause"),
    ("settimeofday(&(struct timeval){0}, NULL)", "settimeofday"),
    ("at_quick_exit(nobody)", "at_quick_exit"),
    ("_Fork()", "_Fork"),
    ("forkpty(&word, NULL, NULL, NULL)", "forkpty"),
    ("pidfd_open(getpid(), 0)", "pidfd_open"),
    ("pidfd_getfd(0, 0, 0)", "pidfd_getfd"),
    ("pidfd_send_signal(0, SIGTERM, NULL, 0)", "pidfd_send_signal"),
    ("process_vm_readv(getpid(), NULL, 0, NULL, 0, 0)", "process_vm_readv"),
    ("process_vm_writev(getpid(), NULL, 0, NULL, 0, 0)", "process_vm_writev"),
    ("mq_notify(0, NULL)", "mq_notify"),
    ("semop(0, NULL, 0)", "semop"),
    ("semtimedop(0, NULL, 0, &soon)", "semtimedop"),
    ("msgget(IPC_PRIVATE, 0600)", "msgget"),
    ("msgsnd(0, stack, 1, 0)", "msgsnd"),
    ("msgrcv(0, stack, 1, 0, 0)", "msgrcv"),
    ("inotify_add_watch(inotify_init(), \"/\", IN_CREATE)", "inotify_add_watch"),
    ("fanotify_init(0, 0)", "fanotify_init"),
    ("aio_read(&request)", "aio_read"),
    ("aio_read64(&request64)", "aio_read64"),
    ("aio_write(&request)", "aio_write"),
    ("aio_write64(&request64)", "aio_write64"),
    ("aio_fsync(O_SYNC, &request)", "aio_fsync"),
    ("aio_fsync64(O_SYNC, &request64)", "aio_fsync64"),
    ("aio_suspend(requests, 1, NULL)", "aio_suspend"),
    ("aio_suspend64(requests64, 1, NULL)", "aio_suspend64"),
    ("lio_listio(LIO_WAIT, (void *)requests, 1, NULL)", "lio_listio"),
    ("lio_listio64(LIO_WAIT, (void *)requests64, 1, NULL)", "lio_listio64"),
    ("getaddrinfo_a(GAI_WAIT, &look_up, 1, NULL)", "getaddrinfo_a"),
    ("gai_suspend((void *)&look_up, 1, NULL)", "gai_suspend"),
    # with arguments that change nothing where the call is made all the same
    ("sethostname(stack, 4096)", "sethostname"),
    ("setdomainname(stack, 4096)", "setdomainname"),
    ("mount(\"/none/of\", \"/none/to\", \"none\", 0, NULL)", "mount"),
    ("umount(\"/none/to\")", "umount"),
    ("umount2(\"/none/to\", 0)", "umount2"),
    ("pivot_root(\"/none/new\", \"/none/old\")", "pivot_root"),
    ("swapon(\"/none/file\", 0)", "swapon"),
    ("swapoff(\"/none/file\")", "swapoff"),
    ("reboot(-1)", "reboot"),
    ("acct(\"/none/file\")", "acct"),
    ("adjtime(NULL, NULL)", "adjtime"),
    ("adjtimex(&(struct timex){0})", "adjtimex"),
    ("vhangup()", "vhangup"),
    ("ptrace(PTRACE_PEEKDATA, getpid(), stack, NULL)", "ptrace"),
    ("initgroups(\"nobody\", getgid())", "initgroups"),
    ("remap_file_pages(stack, 0, 0, 0, 0)", "remap_file_pages"),
    # only where they would have to wait, or for files that are modelled
    ("flock(locked(1), LOCK_EX)", "flock"),
    ("syscall(SYS_flock, locked(1), LOCK_SH)", "flock"),
    ("flock(pipe_end(), LOCK_EX)", "flock"),
    ("fcntl(locked(0), F_SETLKW, &(struct flock){.l_type = F_WRLCK})", "fcntl"),
    ("fcntl(locked(0), F_OFD_SETLKW, &(struct flock){.l_type = F_WRLCK})", "fcntl"),
    ("syscall(SYS_fcntl, locked(0), F_SETLKW, &(struct flock){.l_type = F_WRLCK})", "fcntl"),
    ("lockf(locked(0), F_LOCK, 1)", "lockf"),
    ("lockf(pipe_end(), F_LOCK, 1)", "lockf"),
    ("preadv2(pipe_end(), NULL, 0, -1, RWF_NOWAIT)", "preadv2"),
    ("pwritev2(pipe_end(), NULL, 0, -1, RWF_NOWAIT)", "pwritev2"),
    ("recvmmsg(socket(AF_INET, SOCK_DGRAM, 0), NULL, 0, 0, &soon)", "recvmmsg"),
    ("close_range(100, 200, CLOSE_RANGE_UNSHARE)", "close_range"),
    ("syscall(SYS_close_range, 100, 200, CLOSE_RANGE_UNSHARE)", "close_range"),
    ("splice(eventfd(1, 0), NULL, pipe_end(), NULL, 8, 0)", "splice"),
    ("syscall(SYS_vmsplice, pipe_end(), NULL, 0, 0)", "syscall"),
    ("syscall(SYS_fsync, pipe_end())", "syscall"),
] + [(f"syscall(SYS_{name})", "syscall") for name in (
    "exit", "vfork", "clone3", "wait4", "waitid", "execve", "execveat", "timer_create",
    "timer_settime", "timer_gettime", "timer_getoverrun", "timer_delete", "rt_sigaction",
    "clock_settime", "settimeofday", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
    "futex_waitv", "io_uring_setup", "io_uring_enter", "io_uring_register", "io_setup",
    "io_submit", "io_getevents", "mq_open", "mq_timedsend", "mq_timedreceive", "mq_notify",
    "msgget", "msgsnd", "msgrcv", "semget", "semop", "semtimedop", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "process_vm_readv", "process_vm_writev", "inotify_add_watch",
    "fanotify_init", "userfaultfd")]
# A thread that no function of libc makes; it never uses its stack, which a reset would change under it.
RAW = """
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
static atomic_int once;
static struct timespec second = {.tv_sec = 1};
static void start_raw(void)
{
    long number = SYS_clone;
    __asm__ volatile("syscall\\n test %%rax, %%rax\\n jnz 2f\\n"
                     "1: mov %[nap], %%eax\\n mov %[time], %%rdi\\n xor %%esi, %%esi\\n syscall\\n jmp 1b\\n"
                     "2:\\n"
                     : "+a"(number)
                     : "D"(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                           CLONE_SYSVSEM), "S"(0), "d"(0), [time] "r"(&second),
                       [nap] "i"(SYS_nanosleep)
                     : "rcx", "r11", "r10", "r8", "memory");
}
static void *work(void *unused)
{
    int before = atomic_fetch_add(&once, 1);
    if (ALWAYS || before == 0)
        start_raw();
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    atomic_fetch_add(&once, 1);
    pthread_join(thread, NULL);
    return 0;
}
"""
MODES = [[], ["--isolate", "fork"], ["--isolate", "exec"],
         ["--isolate", "fork", "--carrier", "kernel"]]


def refused(bench, call, name, command, place, reason=""):
    command, report = command
    done = run(command, cwd=bench.folder)
    story = dict(call=call, command=shown(command), output=done.text())
    result = bench.result(done, report, 3)
    if result["verdict"] != "refused" or result["claim"]["kind"] != "nothing":
        fail("a refusal", expected="verdict refused, claim nothing",
             actual=f"{result['verdict']}, {result['claim']}", **story)
    for text, where in ((done.text(), "the report"), (result["refusal"] or "", "the JSON result")):
        if name not in text:
            fail("a refusal", expected=f"the name {name} in {where}", actual=text, **story)
        if "; " not in text.split(name, 1)[1].split("\n\n")[0]:
            fail("a refusal", expected=f"what can be done, behind a semicolon, in {where}", **story)
        if reason not in " ".join(text.split()):
            fail("a refusal", expected=f"{reason} in {where}", **story)
    if place not in done.text():
        fail("a refusal", expected=f"the place {place}", **story)
    return done.text().strip().split("\n")[0]


def refused_call(bench, number, program, options, reason=""):
    call, name = CALLS[number]
    command = bench.command(["-s", "dfs", "--points", "sync", *options], program, [number])
    return refused(bench, call, name, command, f"called.c:{number + 1}", reason)


def source_of(always):
    lines = [f"case {number}: (void)!({call}); break;".replace("(void)!((void)(", "(void)((")
             for number, (call, _) in enumerate(CALLS)]
    return HEAD + TAIL.replace("CALLS", "\n".join(lines)).replace("ALWAYS", str(always))


def check(bench):
    listing = bench.must([bench.bohr, "list", "functions"]).output.splitlines()
    reasons = {words[1]: words[2] for words in (line.split(None, 2) for line in listing)
               if words[0] == "refused"}
    missing = set(reasons) - {name for _, name in CALLS}
    if missing:
        fail("refused functions that nobody calls", actual=", ".join(sorted(missing)))
    flags = ["-Wno-unused-result", "-Wno-unused-value", "-Wno-deprecated-declarations"]
    program = bench.build("calls", source_of(0), flags)
    for number, (_, name) in enumerate(CALLS):
        for options in MODES if number in (0, 1, 3) else MODES[:1]:
            said = refused_call(bench, number, program, options, reasons.get(name, ""))
        print(f"ok   {said}")
    plain = bench.build("plain", source_of(1), flags, compiler=["gcc"])
    number = [name for _, name in CALLS].index("daemon")
    said = refused_call(bench, number, plain, [])
    print(f"ok   {said}, not instrumented")
    # in each execution, or only where main, which goes on first as a rule, comes second
    for name, always in (("always", 1), ("sometimes", 0)):
        program = bench.build(f"raw-{name}", RAW, [f"-DALWAYS={always}"])
        for options in [*MODES, ["-s", "random", "-n", "50"]]:
            command = bench.command(["-s", "dfs", "--points", "sync", *options], program)
            said = refused(bench, f"a thread by clone alone, {name}", "kernel thread", command,
                           "(start_raw)")
        print(f"ok   {said} ({name})")


bench_run(check)
