#!/usr/bin/env python3
"""`create(T1); return 0;` where T1 asserts: found, whether main's return ends the program or waits,
since the return is a step. The same for exit, for pthread_exit, and for std::thread detached. `make test` takes three of ten
searches for each case."""
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, findings_of  # noqa: E402

SOURCE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int zero;
static void *work(void *unused)
{
    assert(atomic_load(&zero) == 1);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    END;
}
"""
DETACHED = """
#include <atomic>
#include <cassert>
#include <thread>
static std::atomic<int> zero;
int main()
{
    std::thread([] { assert(zero.load() == 1); }).detach();
    return 0;
}
"""
# the end of main, --exit, executions and how many of them fail
CASES = [
    ("return 0", "end", 2, 1),  # main returns first, or the thread asserts first
    ("return 0", "wait", 1, 1),
    ("exit(0)", "end", 2, 1),
    ("exit(0)", "wait", 1, 1),
    ("pthread_exit(NULL)", "end", 1, 1),
    ("pthread_exit(NULL)", "wait", 1, 1),
]
MODES = [["--isolate", "reset"], ["--isolate", "reset", "--tracking", "protect"],
         ["--isolate", "fork"], ["--isolate", "exec"], ["--isolate", "fork", "--carrier", "kernel"]]


def asserts(bench, title, program, options, executions=None, buggy=None):
    for strategy, mode in tier.sample(title, itertools.product(("dfs", "preempt"), MODES), 3):
        result = bench.explore(["-s", strategy, "-k", *options, *mode], program, status=1)
        story = dict(options=" ".join(["-s", strategy, *options, *mode]),
                     actual=findings_of(result))
        if [finding["kind"] for finding in result["findings"]] != ["assertion"]:
            fail(title, expected="one finding, an assertion", **story)
        if not result["complete"]:
            fail(title, expected="a complete search", **story)
        fails = sum(finding["count"] for finding in result["findings"])  # buggy leaves out what always fails
        if executions is not None and (result["executions"], fails) != (executions, buggy):
            fail(title, expected=f"{executions} executions, {buggy} of them fail",
                 counted=f"{result['executions']} and {fails}", **story)
    bench.replay_all(title, result)
    print(f"ok   {title}: {result['executions']} executions, {fails} fail")


def check(bench):
    for number, (end, wait, executions, buggy) in enumerate(CASES):
        program = bench.build(f"end-{number}", SOURCE.replace("END", end))
        asserts(bench, f"{end} with --exit {wait}", program, ["--exit", wait], executions, buggy)
    program = bench.build("detached", DETACHED)
    for wait in ("end", "wait"):
        asserts(bench, f"std::thread detached with --exit {wait}", program, ["--exit", wait])


bench_run(check)
