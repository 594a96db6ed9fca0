#!/usr/bin/env python3
"""Where a reduction met something whose orders it does not all know, nothing is claimed, and the claim names what
that was and nothing else."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, shown  # noqa: E402

SOURCE = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static atomic_int turns, value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void handle(int signal)
{
}
static void count_turns(void)
{
    for (int i = 0; i < 6; i++)
        turns++, sched_yield();
}
static void time_out(void)
{
    static const struct timespec past;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < 8; i++)
        pthread_cond_timedwait(&condition, &mutex, &past);
    pthread_mutex_unlock(&mutex);
}
static void move_bytes(void)
{
    int first[2], second[2];
    if (pipe(first) == 0 && pipe(second) == 0 && write(first[1], "a", 1) == 1)
        splice(first[0], NULL, second[1], NULL, 1, 0);
}
static void send_signal(void)
{
    signal(SIGUSR1, handle);
    pthread_kill(pthread_self(), SIGUSR1);
}
static void start_process(void)
{
    if (fork() == 0)
        _exit(0);
    wait(NULL);
}
static void *work(void *unused)
{
    value++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    value++;
    DOES;
    return pthread_join(thread, NULL);
}
"""
CLASSIC = ["-s", "best", "--reduction", "classic"]
WORDS = {"yields": "loops that yield or sleep", "timeouts": "waits that may time out",
         "splices": "calls that wait for two files at once", "signals": "signals", "processes": "processes"}
CASES = [
    (["-s", "dpor"], "(void)0", []),
    (["-s", "dpor"], "count_turns()", ["yields"]),
    (["-s", "bpor"], "count_turns()", ["yields"]),
    (["-s", "dpor"], "time_out()", ["timeouts"]),
    (["-s", "dpor", "-j", "2"], "move_bytes()", ["splices"]),
    (["-s", "dpor"], "move_bytes(), count_turns()", ["yields", "splices"]),
    (["-s", "dpor"], "send_signal(), start_process()", []),
    (CLASSIC, "send_signal()", ["signals"]),
    (CLASSIC, "start_process()", ["processes"]),
    (CLASSIC, "count_turns(), send_signal(), start_process()", ["yields", "processes", "signals"]),
]


def check(bench):
    for i, (options, does, causes) in enumerate(CASES):
        program = bench.build(f"case{i}", SOURCE, [f"-DDOES={does}", "-Wno-unused-function"])
        claim = bench.explore(options, program)["claim"]
        claimed = claim["kind"] != "nothing"
        named = [word for word in WORDS if WORDS[word] in claim["text"]]
        if claim["unreduced"] != causes or claimed == bool(causes) or sorted(named) != sorted(causes):
            fail(f"{shown(options)}: {does}", expected=f"named: {causes or 'nothing'}",
                 actual=f"{claim['unreduced']}: {claim['text']}")
        print(f"ok   {shown(options)}: {does}: {claim['text']}")


bench_run(check)
