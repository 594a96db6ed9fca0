#!/usr/bin/env python3
"""A call that is not modelled ends the search with exit status 3, its name and its place, wherever
it is made: in a thread or in main, in every isolation mode, in programs without instrumentation
too. If the call is not made in every execution, those before it do not make a claim."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

HEAD = """
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/select.h>
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
    nothing(&soon), nothing(&word), nothing(stack);
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
    ("timerfd_create(CLOCK_MONOTONIC, 0)", "timerfd_create"),
    ("syscall(SYS_timerfd_create, CLOCK_MONOTONIC, 0)", "syscall"),
    ("clock_settime(CLOCK_REALTIME, &soon)", "clock_settime"),
    ("kill(getppid(), SIGTERM)", "kill"),
    ("daemon(0, 0)", "daemon"),
    ("(signal(SIGCHLD, handle), fork())", "fork"),
    ("syscall(SYS_fork)", "syscall"),
    ("poll(NULL, 0, -1)", "poll"),
    ("select(0, NULL, NULL, NULL, NULL)", "select"),
    ("clone(nothing, stack + 60000, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, NULL)", "clone"),
]
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


bench_run(check)
