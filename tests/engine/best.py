#!/usr/bin/env python3
"""Best-first search: whatever comes first, in the end it is the search of dfs, or of preempt at a bound; names of
functions and variables put first what leaves one of them for another."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import COUNTS, bench_run, fail, run, sentence_of, shown  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The second thread sees a pair that is half written only if it comes in the middle of publish().
PAIR = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int left, right, noisy[2];
__attribute__((noinline)) static void noise(int side)
{
    for (int i = 0; i < 3; i++)
        noisy[side]++;
}
__attribute__((noinline)) static void publish(void)
{
    left = 1;
    right = 1;
}
__attribute__((noinline)) static void consume(void)
{
    int first = left, second = right;
    assert(!ASSERTED || first == second);
}
static void *writer(void *unused)
{
    noise(0);
    publish();
    return unused;
}
static void *reader(void *unused)
{
    consume();
    noise(1);
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
"""
SAME = [*COUNTS, "threads", "max_steps", "claim"]
PRIORITIES = ("pb", "near,pb", "mdpor,pb", "ss,dpor", "df", "rand", "method:publish,consume,rand", "var:left,pb")


def same_searches(bench):
    clean = bench.build("clean", PAIR.replace("ASSERTED", "0"))
    for space, wanted in (([], ["-s", "dfs"]), (["-b", "1"], ["-s", "preempt", "-b", "1"])):
        plain = bench.explore(wanted, clean, status=0)
        for priority in PRIORITIES:
            options = ["-s", "best", *space, "--priority", priority]
            result = bench.explore(options, clean, status=0)
            names = [name for name in SAME if name != "per_bound"]
            bench.compare(f"best {priority} {' '.join(space)}", plain, result, names,
                          again=shown(["bohr", "run", *options, clean]))
        print(f"ok   {plain['executions']} executions of {' '.join(wanted)}, in any order")
    classes = bench.explore(["-s", "dpor"], clean, status=0)["classes"]
    for priority in PRIORITIES:
        result = bench.explore(["-s", "best", "--reduction", "classic", "--priority", priority], clean,
                               status=0)
        if (result["classes"], result["claim"]["kind"]) != (classes, "all-classes"):
            fail(f"best over a reduced space, {priority}", expected=f"all {classes} classes claimed",
                 actual=f"{result['classes']}, {result['claim']}")
    print(f"ok   {classes} classes over a reduced space")
    unknown(bench, clean)


UNKNOWN = """
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
static atomic_int total;
static void handle(int number)
{
    total += number;
}
static void *work(void *unused)
{
    total++;
    return unused;
}
int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(pthread_self(), SIGUSR1);
    return pthread_join(thread, NULL);
}
"""


def unknown(bench, clean):
    """Over a reduced space nothing is claimed where the reduction does not know what happens, or was cut short."""
    signals = bench.build("signals", UNKNOWN)
    reduced = ["-s", "best", "--reduction", "classic"]
    for options, program, kind, status in ((["-s", "best"], signals, "all", 0), (reduced, signals, "nothing", 0),
                                           ([*reduced, "--steps", "12"], clean, "nothing", 2)):  # all are cut
        result = bench.explore(options, program, status=status)
        if result["claim"]["kind"] != kind:
            fail(" ".join(options), expected=f"the claim {kind}", actual=result["claim"])
        print(f"ok   {' '.join(options)}: {result['claim']['text']}")


def names(bench):
    program = bench.build("pair", PAIR.replace("ASSERTED", "1"))
    # The first execution, then those that leave the writer before one of the two steps of publish().
    for priority in ("method:publish,consume", "method:publish,consume,rand", "var:left,right"):
        first = bench.explore(["-s", "best", "--priority", priority], program, status=1)["first_bug"]
        if first > 3:
            fail(priority, expected="found in the third execution at the latest", actual=first)
        print(f"ok   {priority}: found in execution {first}")
    plain = bench.explore(["-s", "best", "--priority", "df"], program, status=1)["first_bug"]
    if plain <= 3:
        fail("depth first", expected="more than three executions", actual=plain)
    for priority, words in (("method:publsh", ("publsh", "publish")),
                            ("method:consume,noize,pb", ("noize", "noise")),
                            ("var:lefd", ("lefd", "left", "variable")),
                            ("var:nothing_like_it", ("nothing_like_it", "no such"))):
        done = run([bench.bohr, "run", "-s", "best", "--priority", priority, program])
        said = sentence_of(done.errors)
        if done.status != 2 or any(word not in said for word in words):
            fail(f"--priority {priority}", expected=f"exit status 2 and {', '.join(words)}",
                 actual=f"{done.status}: {said}")
        print(f"ok   {said}")


def releases(bench):
    """A lock that comes before another thread's unlock has to wait: mdpor puts first what comes before its lock."""
    source = (ROOT / "corpus" / "large" / "log_rotation.c").read_text()
    program = bench.build("log_rotation", source)
    for space, most in (([], 30), (["--reduction", "classic"], 10)):
        options = ["-s", "best", "--priority", "mdpor,pb", *space, "-n", "1000", "--exit", "wait"]
        first = bench.explore(options, program, status=1)["first_bug"]
        if first > most:
            fail(" ".join(options), expected=f"found within {most} executions", actual=first)
        print(f"ok   {' '.join(options)}: found in execution {first}")


def checkpoints(bench):
    """Over a reduced space a plan lists what is not the default, and the default is where a checkpoint was taken."""
    program = bench.build("queue", (ROOT / "corpus" / "large" / "bounded_queue.c").read_text())
    options = ["-s", "best", "--reduction", "classic", "-n", "400", "--exit", "wait"]
    plain = bench.explore([*options, "--no-checkpoint"], program, status=0)
    for more in ([], ["--force-checkpoints"]):
        result = bench.explore([*options, *more], program, status=0)
        bench.compare(" ".join([*options, *more]), plain, result, COUNTS, again=shown(["bohr", "run", *options, *more]))
    print(f"ok   {plain['executions']} executions, the same with checkpoints")


def check(bench):
    checkpoints(bench)
    same_searches(bench)
    names(bench)
    releases(bench)


bench_run(check)
