#!/usr/bin/env python3
"""`auto` ends with the strongest claim: all classes of interleavings, by the part of it that reduces, where
bounding would take far longer, before long where that gets through; twice the same; with several workers, and in every
isolation mode; also where loops that wait yield. Where a program does what a reduction does not know, and where a bound is asked for, it claims what bounding claims."""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import COUNTS, bench_run, fail, shown  # noqa: E402

THREADS, ROUNDS = 3, 3
EXECUTIONS = 100_000  # there are many more interleavings than that
LOCKS = """
#include <pthread.h>
#include <sched.h>
#include <signal.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void nothing(int number) {}
static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        ALSO;
    }
    return unused;
}
int main(void)
{
    pthread_t threads[THREADS];
    signal(SIGUSR1, nothing);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
# Both increments race, so that the search restarts, and an update can be lost.
RACY = """
#include <assert.h>
#include <pthread.h>
static int counter;
static void *work(void *unused)
{
    for (int i = 0; i < 2; i++)
        counter++;
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter > 2);
    return 0;
}
"""
# Each waits for the others with yields: a barrier of its own making.
YIELDING = """
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int arrived, sum;
static void *work(void *unused)
{
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < THREADS)
        sched_yield();
    for (int i = 0; i < 2; i++)
        atomic_fetch_add(&sum, 1);
    return unused;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
UNREDUCED = {"gives_way": "sched_yield()", "signals": "pthread_kill(pthread_self(), SIGUSR1)"}


def orders(threads, rounds):
    return math.factorial(threads * rounds) // math.factorial(rounds) ** threads


def locks(bench, name, also="", rounds=ROUNDS):
    flags = [f"-DTHREADS={THREADS}", f"-DROUNDS={rounds}", f"-DALSO={also}"]
    return bench.build(name, LOCKS, flags)


def explore(bench, program, *options):
    words = ["-n", str(EXECUTIONS), *options]
    return bench.explore(words, program), shown([bench.bohr, "run", *words, program])


def check_all_classes(bench):
    program, seen, classes = locks(bench, "locks"), [], orders(THREADS, ROUNDS)
    for options in ([], [], ["--seed", "5"], ["--isolate", "fork"], ["-j", "2"], ["-j", "3"]):
        result, command = explore(bench, program, *options)
        got = result["claim"]["kind"], result["classes"], result["complete"]
        if got != ("all-classes", classes, True):
            fail("a small program is not explored to the end", command=command,
                 expected=f"all {classes} classes", actual=f"{got}: {result['claim']['text']}")
        seen.append({name: result[name] for name in COUNTS})
    if seen[0] != seen[1] or seen[0] != seen[3]:
        fail("the same search comes out another way", expected=seen[0], actual=seen[1:4:2])
    if seen[0] == seen[2]:
        fail("the seed does not matter to the samplers", actual=seen[0])


def check_soon(bench):
    """The reduction gets most of the executions where it gets through: without that it takes four times as many."""
    classes = orders(THREADS, ROUNDS + 1)
    program = locks(bench, "more_locks", rounds=ROUNDS + 1)
    result, command = explore(bench, program, "-n", str(classes * 5 // 2))
    if (result["claim"]["kind"], result["classes"]) != ("all-classes", classes):
        fail("a reduction that gets through is held up", command=command, expected=f"all {classes} classes",
             actual=result["claim"]["text"])


def check_yielding(bench):
    program = bench.build("yielding", YIELDING, [f"-DTHREADS={THREADS}"])
    reduced, _ = explore(bench, program, "-s", "dpor")
    for options in ([], ["--seed", "2"], ["--isolate", "fork"], ["-j", "2"]):
        result, command = explore(bench, program, *options)
        wanted, got = [r["claim"]["text"].split(" (")[0] for r in (reduced, result)]
        if result["claim"]["kind"] != "all-classes" or got != wanted:
            fail("a program whose waiting loops yield", command=command, expected=wanted,
                 actual=result["claim"]["text"])


def check_racy(bench):
    program = bench.build("racy", RACY)
    for options in (["-k"], ["-k", "-j", "2"]):
        plain, _ = explore(bench, program, "-s", "dfs", *options)
        result, command = explore(bench, program, *options)
        wanted, got = [sorted((f["kind"], f["message"]) for f in r["findings"]) + [r["classes"]]
                       for r in (plain, result)]
        if result["claim"]["kind"] not in ("all", "all-classes") or got != wanted:
            fail("a search that began anew", command=command, expected=f"all of {wanted}",
                 actual=f"{got}: {result['claim']['text']}")


def check_bounded(bench):
    for name, also in UNREDUCED.items():
        program = locks(bench, name, also)
        for jobs in ("1", "2"):
            result, command = explore(bench, program, "-n", "6000", "-j", jobs)
            if result["claim"]["kind"] != "within-bound" or "reduction" in result["claim"]["text"]:
                fail(f"what a reduction does not know ({name})", command=command,
                     expected="a bound is claimed", actual=result["claim"]["text"])
    result, command = explore(bench, bench.folder / "locks", "-b", "1")
    claim = result["claim"]
    if (claim["kind"], claim["value"], result["complete"]) != ("within-bound", 1, True):
        fail("a bound that was asked for", command=command, expected="within 1 preemption, complete",
             actual=claim["text"])


def check(bench):
    check_all_classes(bench)
    check_soon(bench)
    check_yielding(bench)
    check_racy(bench)
    check_bounded(bench)


bench_run(check)
