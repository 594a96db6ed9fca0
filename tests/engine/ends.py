#!/usr/bin/env python3
"""However an execution ends, the next one is right: where some executions end in a given way, the
counts are those of fork isolation, and every finding comes out the same when it is replayed. `make test` takes eight of the
ways."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import COUNTS, bench_run, fail, findings_of  # noqa: E402

SOURCE = """
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <pthread.h>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

static std::atomic<int> stage;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int history[64], zero, handled;
static volatile int sink;

static __attribute__((noinline)) int deep(int depth)
{
    volatile char frame[4096];
    frame[depth % 4096] = (char)depth;
    return depth == -1 ? 0 : deep(depth + 1) + frame[(depth + 1) % 4096];
}

static void at_end()
{
    handled++;
}

static void end_by(const std::string &way)
{
    if (way == "exit")
        exit(3);
    if (way == "_exit")
        _exit(4);
    if (way == "quick-exit")
        quick_exit(5);
    if (way == "pthread-exit")
        pthread_exit(nullptr);
    if (way == "abort")
        abort();
    if (way == "assert")
        assert(zero == 1);
    if (way == "exception")
        throw std::runtime_error("thrown by the test");
    if (way == "terminate")
        std::terminate();
    if (way == "segv")
        *(volatile int *)16 = 1;
    if (way == "fpe")
        sink = 700 / zero;
    if (way == "bus") {
        int file = open("/proc/self/exe", O_RDONLY);
        char *end = (char *)mmap(nullptr, 1 << 24, PROT_READ, MAP_PRIVATE, file, 0);
        sink = end[(1 << 24) - 1];
    }
    if (way == "ill")
        __builtin_trap();
    if (way == "overflow")
        sink = deep(0);
    if (way == "deadlock") {
        pthread_mutex_lock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    if (way == "steps")
        for (;;)
            stage.fetch_add(1);
    if (way == "hang")
        for (;;)
            __asm__ volatile("" ::: "memory");
    if (way == "raise-kill")
        raise(SIGKILL);
    if (way == "kill-term")
        kill(getpid(), SIGTERM);
}

static void *first(void *)
{
    pthread_mutex_lock(&mutex);
    history[0]++;
    pthread_mutex_unlock(&mutex);
    stage.store(1);
    return nullptr;
}

static void *second(void *way)
{
    std::string *copy = new std::string(*static_cast<std::string *>(way));
    pthread_mutex_lock(&mutex);
    history[1]++;
    pthread_mutex_unlock(&mutex);
    if (stage.load() == 1)
        end_by(*copy);
    delete copy;
    return nullptr;
}

int main(int argc, char **argv)
{
    std::string way(argc > 1 ? argv[1] : "return");
    pthread_t threads[2];
    assert(handled == 0 && history[0] + history[1] == 0);
    atexit(at_end);
    pthread_create(&threads[0], nullptr, first, nullptr);
    pthread_create(&threads[1], nullptr, second, &way);
    pthread_join(threads[0], nullptr);
    pthread_join(threads[1], nullptr);
    assert(history[0] == 1 && history[1] == 1);
    return 0;
}
"""
# the way, the kind of finding (None: none), a word of its message, more options
WAYS = [
    ("return", None, "", []),
    ("pthread-exit", None, "", []),
    ("exit", "exit", "expected", []),
    ("_exit", "exit", "expected", []),
    ("quick-exit", "exit", "expected", []),
    ("abort", "crash", "abort", []),
    ("assert", "assertion", "zero == 1", []),
    ("exception", "uncaught-exception", "", []),
    ("terminate", "crash", "abort", []),
    ("segv", "crash", "segmentation", []),
    ("fpe", "crash", "arithmetic", []),
    ("bus", "crash", "bus", []),
    ("ill", "crash", "illegal", []),
    ("overflow", "crash", "stack overflow", []),
    ("deadlock", "deadlock", "", []),
    ("steps", None, "", ["--steps", "200", "-s", "preempt", "-b", "2"]),
    ("hang", "hang", "", ["--hang", "0.3", "-s", "preempt", "-b", "0"]),
    ("raise-kill", "crash", "", ["-s", "preempt", "-b", "1"]),
    ("kill-term", "crash", "", []),
]


def check(bench):
    program = bench.build("ends", SOURCE, ["-std=c++17", "-O0", "-Wno-infinite-recursion"])
    calm = None
    returns, *others = WAYS
    for way, kind, word, more in [returns, *tier.sample("ends", others, 8)]:
        options = ["-k", "--expect-exit", "0", *(more or ["-s", "dfs"])]
        title = f"some executions end by {way}"
        by_reset, by_fork = (
            bench.explore([*options, "--isolate", isolate], program, [way],
                          status=1 if kind else 0) for isolate in ("reset", "fork"))
        kinds = {finding["kind"] for finding in by_reset["findings"]}
        if kinds != ({kind} if kind else set()):
            fail(title, expected=f"findings of kind {kind}", actual=findings_of(by_reset))
        for finding in by_reset["findings"]:
            if word not in finding["message"]:
                fail(title, expected=f"a message with `{word}`", actual=finding["message"])
        bench.compare(f"{title}: reset differs from fork", by_fork, by_reset,
                      COUNTS + ["max_steps", "max_points"])
        if findings_of(by_fork) != findings_of(by_reset):
            fail(f"{title}: reset differs from fork", expected=findings_of(by_fork),
                 actual=findings_of(by_reset))
        if kind and not 0 < by_reset["buggy"] < by_reset["executions"]:
            fail(title, expected="some executions with it, and some without",
                 actual=f"{by_reset['buggy']} of {by_reset['executions']}")
        if way == "return":
            calm = by_reset
        elif not more and kind and by_reset["executions"] - by_reset["buggy"] >= calm["executions"]:
            fail(title, expected=f"fewer executions without it than {calm['executions']}",
                 actual=by_reset["executions"] - by_reset["buggy"])
        bench.replay_all(title, by_reset, options)
        print(f"ok   {way}: {by_reset['executions']} executions, {by_reset['buggy']} with it, "
              f"{by_reset['cut']} cut, {by_reset['wall_seconds']:.2f} s "
              f"({by_fork['wall_seconds']:.2f} s by fork)")


bench_run(check)
