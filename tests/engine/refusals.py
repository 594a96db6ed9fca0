#!/usr/bin/env python3
"""A call that is not modelled ends the search with exit status 3, its name, its place and what can be done, wherever
it is made: in a thread or in main, in every isolation mode, in programs without instrumentation
too. If the call is not made in every execution, those before it do not make a claim."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

HEAD = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
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
"""
TAIL = """
static void *work(void *unused)
{
    if (atomic_fetch_add(&once, 1) == 1)
#line 1 "called.c"
        CALL;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    nothing(&soon), nothing(&word), nothing(stack), nothing(&far_away);
    close(pipe_end());
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
"""
# the call, and what the message names
CALLS = [
    ("signalfd(-1, &(sigset_t){0}, 0)", "signalfd"),
    ("syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0)", "syscall"),
    ("syscall(SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, stack + 60000)", "syscall"),
    ("syscall(SYS_clone3, stack, 64)", "syscall"),
    ("clock_settime(CLOCK_REALTIME, &soon)", "clock_settime"),
    ("kill(getppid(), SIGTERM)", "kill"),
    ("daemon(0, 0)", "daemon"),
    ("(signal(SIGCHLD, handle), fork())", "fork"),
    ("(void)(pipe_end(), fork())", "fork"),
    ("(void)(pipe_end(), system(\"true\"))", "system"),
    ("(void)(pipe_end(), popen(\"true\", \"r\"))", "popen"),
    ("syscall(SYS_fork)", "syscall"),
    ("timerfd_settime(timerfd_create(CLOCK_REALTIME, 0), TFD_TIMER_CANCEL_ON_SET, "
     "&(struct itimerspec){0}, NULL)", "timerfd_settime"),
    ("poll(&(struct pollfd){inotify_init(), POLLIN}, 1, -1)", "poll"),
    ("epoll_ctl(epoll_create(1), EPOLL_CTL_ADD, inotify_init(), &(struct epoll_event){0})",
     "epoll_ctl"),
    ("dup2(pipe_end(), 1)", "dup2"),
    ("sendfile(pipe_end(), 0, NULL, 1)", "sendfile"),
    ("splice(pipe_end(), NULL, pipe_end(), NULL, 1, 0)", "splice"),
    ("syscall(SYS_splice, pipe_end(), NULL, pipe_end(), NULL, 1, 0)", "syscall"),
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
]
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


def refused(bench, call, name, program, options, place):
    command, report = bench.command(["-s", "dfs", "--points", "sync", *options], program)
    done = run(command)
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
    if place not in done.text():
        fail("a refusal", expected=f"the place {place}", **story)
    return done.text().strip().split("\n")[0]


def check(bench):
    for number, (call, name) in enumerate(CALLS):
        source = HEAD + TAIL.replace("CALL;", call + ";")
        program = bench.build(f"call-{number}", source, ["-Wno-unused-result"])
        for options in MODES if number in (0, 1, 3) else MODES[:1]:
            said = refused(bench, call, name, program, options, "called.c:1")
        print(f"ok   {said}")
    plain = bench.build("plain", HEAD + TAIL.replace("atomic_fetch_add(&once, 1) == 1", "1")
                        .replace("CALL;", "if (daemon(0, 0)) return unused;"), compiler=["gcc"])
    said = refused(bench, "daemon", "daemon", plain, [], "called.c:1")
    print(f"ok   {said}, not instrumented")
    # in each execution, or only where main, which goes on first as a rule, comes second
    for name, always in (("always", 1), ("sometimes", 0)):
        program = bench.build(f"raw-{name}", RAW, [f"-DALWAYS={always}"])
        for options in [*MODES, ["-s", "random", "-n", "50"]]:
            said = refused(bench, f"a thread by clone alone, {name}", "kernel thread", program, options,
                           "(start_raw)")
        print(f"ok   {said} ({name})")


bench_run(check)
