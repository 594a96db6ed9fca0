#!/usr/bin/env python3
"""Every strategy runs the same executions in every isolation mode, from the same seed; with --cache
the same classes are found as without; every one of them finds a bug that is not deep; and auto, which
mixes them, explores and claims what preempt does, and finds what only samplers find. `make test` compares one mode with
reset."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tools")]
import corpus_program  # noqa: E402
import tier  # noqa: E402
from engine import bench_run, fail  # noqa: E402

MODES = {
    "reset": [],
    "reset, no checkpoint": ["--no-checkpoint"],
    "fork": ["--isolate", "fork"],
    "exec": ["--isolate", "exec"],
    "kernel threads": ["--isolate", "fork", "--carrier", "kernel"],
}
SAMPLERS = ["random", "pct", "pos", "surw", "rf", "rare", "few"]
SYSTEMATIC = [["dfs"], ["depth"], ["depth", "-b", "5"], ["preempt"], ["preempt", "-b", "1"],
              ["delay"], ["delay", "-b", "2"], ["best"],
              ["best", "-b", "1", "--priority", "ss,rand"]]
AUTO = [["auto"], ["auto", "-b", "1"]]
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
# Two threads, four critical sections each: more steps than auto searches systematically at first.
LOCKS = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
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
# Thirty threads set both, one looks: very many orders without a preemption, none of them wrong.
REORDER = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
enum { THREADS = 31 };
static atomic_int a, b;
static void *set(void *unused)
{
    a = 1;
    b = -1;
    return unused;
}
static void *look(void *unused)
{
    int first = a, second = b;
    assert(first + second == 0);
    return unused;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, i == THREADS - 1 ? look : set, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def check_modes(bench, program):
    for options in [[name] for name in SAMPLERS] + AUTO + SYSTEMATIC:
        for cache in ([], ["--cache"]):
            if cache and options not in SYSTEMATIC:
                continue
            first = None
            reset, *others = MODES.items()
            for mode, how in [reset, *tier.sample(f"{options} {cache}", others)]:
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


CLASSES = 70  # of two threads with four critical sections each: 8! / (4! 4!)


def check_new_classes(bench):
    """The share of classes that were seen once: all after one execution, at most as many as there are classes
    after many; and a sampler that reaches all leaves hardly any."""
    locks = bench.build("two-locks", LOCKS, ["-DTHREADS=2"])
    for name in SAMPLERS:
        for executions, least, most in ((1, 1, 1), (20, 0.05, 1), (3000, 0, CLASSES / 3000)):
            result = bench.explore(["-s", name, "-n", executions], locks, status=0)
            if not least <= result["new_class_probability"] <= most or result["classes"] > CLASSES:
                fail(f"{name}: a new class after {executions} executions", expected=f"{least} to {most}",
                     actual=result["new_class_probability"], classes=result["classes"])


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
    for options in [[name] for name in SAMPLERS] + AUTO + SYSTEMATIC:
        result = bench.explore(["-s", *options, "-n", "2000"], program)
        if not result["findings"]:
            fail(f"{options}: a lost update", expected="an assertion", actual="nothing")
        bench.replay_all(str(options), result)


def check_rf(bench):
    """Constraints that cannot be met, of which there are more than others in so small a program, do not hold it up."""
    (program,) = [at for at in corpus_program.read_programs(ROOT / "corpus" / "after_main.cc")
                  if at.name == "after_main"]
    binary = bench.folder / program.name
    program.build(bench.bohr, "gcc", binary)
    for seed in range(1, 11):
        bench.explore(["-s", "rf", "-n", "2000", "--seed", str(seed), "--no-shrink", *program.options], binary,
                      program.arguments, status=1)


def of_bounds(result):
    return [(row["bound"], row["executions"]) for row in result["per_bound"]]


def check_auto(bench):
    """What is systematic in it is what preempt does; samples are counted, but at no bound."""
    locks = bench.build("locks", LOCKS, ["-DTHREADS=3"])
    for bound in ("2", "4"):
        alone, mixed = (bench.explore(["-s", name, "-b", bound], locks, status=0)
                        for name in ("preempt", "auto"))
        if of_bounds(alone) != of_bounds(mixed) or alone["claim"] != mixed["claim"]:
            fail(f"auto up to bound {bound}", expected=(of_bounds(alone), alone["claim"]["text"]),
                 actual=(of_bounds(mixed), mixed["claim"]["text"]))
        if mixed["executions"] <= alone["executions"] or mixed["classes"] <= alone["classes"]:
            fail(f"auto up to bound {bound}: samples", preempt=alone["executions"],
                 actual=mixed["executions"], classes=(alone["classes"], mixed["classes"]))
        if mixed["executions"] > 2.2 * alone["executions"] + 10:
            fail(f"auto up to bound {bound}", actual=mixed["executions"],
                 expected=f"about twice {alone['executions']} executions at most")
    cut = bench.explore(["-s", "auto", "-n", "4000"], locks, status=0)
    done = [row for row in of_bounds(alone) if row[0] <= cut["claim"]["value"]]
    if cut["executions"] != 4000 or cut["claim"]["kind"] != "within-bound" or \
            of_bounds(cut)[:len(done)] != done or cut["complete"]:
        fail("auto, stopped", expected="a claim for the bounds that were finished",
             actual=cut["claim"]["text"], per_bound=of_bounds(cut))
    two = bench.build("two-locks", LOCKS, ["-DTHREADS=2"])
    alone, mixed = (bench.explore(["-s", name], two, status=0) for name in ("preempt", "auto"))
    if alone["claim"]["kind"] != "all" or mixed["claim"]["kind"] not in ("all", "all-classes") or \
            alone["classes"] != mixed["classes"]:
        fail("auto to its end", expected=alone["claim"]["text"], actual=mixed["claim"]["text"])
    seeds = [bench.explore(["-s", "auto", "-n", "3000", "--seed", seed], locks, status=0)
             for seed in ("7", "7", "8")]
    bench.compare("auto from the same seed", seeds[0], seeds[1])
    if seeds[0]["fingerprint"] == seeds[2]["fingerprint"]:
        fail("auto from another seed", expected="another fingerprint")
    reorder = bench.build("reorder", REORDER)
    bench.explore(["-s", "preempt", "-n", "3000"], reorder, status=0)
    for seed in ("1", "2", "3"):
        found = bench.explore(["-s", "auto", "-n", "3000", "--seed", seed], reorder, status=1)
        bench.replay_all("auto", found)


def check(bench):
    program = bench.build("clean", CLEAN)
    check_modes(bench, program)
    check_seeds(bench, program)
    check_new_classes(bench)
    check_cache(bench, program)
    check_bug(bench, bench.build("lost-update", LOST_UPDATE))
    check_rf(bench)
    check_auto(bench)


bench_run(check)
