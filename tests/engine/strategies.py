#!/usr/bin/env python3
"""Every strategy runs the same executions in every isolation mode, from the same seed; with --cache
the same classes are found as without; and every one of them finds a bug that is not deep."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail  # noqa: E402

MODES = {
    "reset": [],
    "reset, no checkpoint": ["--no-checkpoint"],
    "fork": ["--isolate", "fork"],
    "exec": ["--isolate", "exec"],
    "kernel threads": ["--isolate", "fork", "--carrier", "kernel"],
}
SAMPLERS = ["random", "pct", "pos", "surw", "rf"]
SYSTEMATIC = [["dfs"], ["depth"], ["depth", "-b", "5"], ["preempt"], ["preempt", "-b", "1"],
              ["delay"], ["delay", "-b", "2"]]
# Two threads and one that is created by the first; locks, a signal with a choice, yields, sleeps.
CLEAN = """
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int sum;
static void *child(void *unused)
{
    sum++;
    sched_yield();
    return unused;
}
static void *first(void *unused)
{
    pthread_t thread;
    pthread_create(&thread, NULL, child, NULL);
    pthread_mutex_lock(&mutex);
    usleep(5);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return unused;
}
static void *second(void *unused)
{
    sum++;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
"""
LOST_UPDATE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int seen = count;
        count = seen + 1;
    }
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(count == 4);
    return 0;
}
"""


def check_modes(bench, program):
    for options in [[name] for name in SAMPLERS] + SYSTEMATIC:
        for cache in ([], ["--cache"]):
            if cache and options[0] in SAMPLERS:
                continue
            first = None
            for mode, how in MODES.items():
                result = bench.explore(["-s", *options, *cache, "-n", "60", *how], program,
                                       status=0)
                first = first or result
                bench.compare(f"{options} {cache} in mode `{mode}`", first, result)


def check_seeds(bench, program):
    for name in SAMPLERS:
        results = [bench.explore(["-s", name, "-n", "200", "--seed", seed], program, status=0)
                   for seed in ("7", "7", "8")]
        bench.compare(f"{name} from the same seed", results[0], results[1])
        if results[0]["fingerprint"] == results[2]["fingerprint"]:
            fail(f"{name} from another seed", expected="another fingerprint",
                 actual=results[2]["fingerprint"])
        if results[0]["claim"]["kind"] != "sampled" or results[0]["complete"]:
            fail(f"{name}: the claim", expected="sampled", actual=results[0]["claim"]["text"])
        if not 0 <= results[0]["new_class_probability"] <= 1:
            fail(f"{name}: a new class", expected="a probability",
                 actual=results[0]["new_class_probability"])


def check_cache(bench, program):
    whole = bench.explore(["-s", "dfs"], program, status=0)
    for options in SYSTEMATIC:
        plain = bench.explore(["-s", *options], program, status=0)
        cached = bench.explore(["-s", *options, "--cache"], program, status=0)
        title = f"{options} with a cache"
        bench.compare(title, plain, cached, ["classes", "complete"])
        if cached["executions"] + cached["cut"] >= plain["executions"]:
            fail(title, expected=f"less than {plain['executions']} executions",
                 actual=f"{cached['executions']}, and {cached['cut']} cut")
        if "-b" in options:
            continue
        bench.compare(f"{options} and dfs", whole, plain, ["executions", "classes"])
        if cached["claim"]["kind"] != "all-classes":
            fail(title, expected="all classes", actual=cached["claim"]["text"])


def check_bug(bench, program):
    for options in [[name] for name in SAMPLERS] + SYSTEMATIC:
        result = bench.explore(["-s", *options, "-n", "2000"], program)
        if not result["findings"]:
            fail(f"{options}: a lost update", expected="an assertion", actual="nothing")
        bench.replay_all(str(options), result)


def check(bench):
    program = bench.build("clean", CLEAN)
    check_modes(bench, program)
    check_seeds(bench, program)
    check_cache(bench, program)
    check_bug(bench, bench.build("lost-update", LOST_UPDATE))


bench_run(check)
