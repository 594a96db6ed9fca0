#!/usr/bin/env python3
"""Samplers make racing accesses into scheduling points and go on: no restart, and the claim says so.
What was found before and after replays. Systematic searches restart. `make test` takes three of the samplers."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail  # noqa: E402

SAMPLERS = ["random", "pct", "pos", "surw", "rf", "few"]
MODES = {
    "reset": [],
    "reset, no checkpoint": ["--no-checkpoint"],
    "fork": ["--isolate", "fork"],
    "exec": ["--isolate", "exec"],
    "kernel threads": ["--isolate", "fork", "--carrier", "kernel"],
}
SAID = "became scheduling points as they were found, without a restart"
# Without scheduling points at the accesses no update is lost: the race, seen in the first execution,
# must be promoted before the assertion can fail. The set-up writes, too, before there are threads.
LOST = """
#include <assert.h>
#include <pthread.h>
static int count = 5;
static void set(int value)
{
    count = value;
}
static void *work(void *unused)
{
    set(count + 1);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    set(0);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 2);
    return 0;
}
"""


def check_run(bench, title, options, program):
    result = bench.explore(options, program, status=1)
    kinds = sorted(set(f["kind"] for f in result["findings"]))
    if result["restarts"] != 0 or SAID not in result["claim"]["text"]:
        fail(title, expected=f"no restart, and a claim with: {SAID}",
             actual=f"{result['restarts']} restarts, {result['claim']['text']}")
    if kinds != ["assertion", "race"] or result["first_bug"] < 2:
        fail(title, expected="a race, then a failed assertion", actual=kinds,
             first_bug=result["first_bug"])
    bench.replay_all(title, result)
    return result


def check(bench):
    program = bench.build("lost", LOST)
    for strategy in tier.sample("more_points", SAMPLERS, 3):
        options = ["-s", strategy, "-n", "1000"]
        first = check_run(bench, strategy, options, program)
        check_run(bench, f"{strategy}, as found", [*options, "--no-shrink"], program)
        check_run(bench, f"{strategy}, all", [*options, "-k"], program)
        for mode, more in MODES.items() if strategy in ("random", "surw") else ():
            again = check_run(bench, f"{strategy}, {mode}", [*options, *more], program)
            bench.compare(f"{strategy}, {mode}: another result than in reset", first, again)
    for strategy in ("random", "pos"):
        check_run(bench, f"{strategy}, shared", ["-s", strategy, "-n", "1000", "-k", "-j", "3"],
                  program)
    for strategy in ("preempt", "dfs"):
        result = bench.explore(["-s", strategy], program, status=1)
        if result["restarts"] == 0 or SAID in result["claim"]["text"]:
            fail(strategy, expected="a restart", actual=result["claim"]["text"])
    clean = bench.build("clean", LOST.replace("static int count", "static _Thread_local int count")
                        .replace("count == 2", "count == 0"))
    result = bench.explore(["-s", "random", "-n", "50"], clean, status=0)
    if SAID in result["claim"]["text"]:
        fail("a program without races", expected="nothing about them", actual=result["claim"]["text"])


bench_run(check)
