#!/usr/bin/env python3
"""Whatever found a bug, and however executions begin, it is reported with as few preemptions as it
needs, and the report says whether that is proved; every such schedule replays. The numbers follow
from the programs, as said above each. `make test` takes a sample of strategies and modes."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, run, shown  # noqa: E402

STRATEGIES = ["dfs", "depth", "preempt", "delay", "random", "pct", "pos", "surw", "rf", "rare",
              "few", "auto"]
MODES = {
    "reset": [],
    "reset, no checkpoint": ["--no-checkpoint"],
    "fork": ["--isolate", "fork"],
    "exec": ["--isolate", "exec"],
    "kernel threads": ["--isolate", "fork", "--carrier", "kernel"],
    "three workers": ["-j", "3"],
}

# The reader must see 1, then 2, … then ROUNDS. Between two steps of the writer it must take one, and
# between two of its own the writer: 2 ROUNDS blocks. Leaving a block is a preemption, except for the
# writer's last, after which it has ended: 2 ROUNDS - 2. Which outcome the choice has matters, too.
ROUNDS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <bohr.h>
static atomic_int value, other;
static void *write(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        value++;
    return unused;
}
static void *read(void *unused)
{
    int seen = 0, choice = bohr_choose(3);
    for (int i = 1; i <= ROUNDS; i++)
        seen += value == i;
    if (choice == 2 && seen == ROUNDS)
        FAILURE;
    return unused;
}
static void *disturb(void *unused)
{
    for (int i = 0; i < 12; i++)
        other++;
    return unused;
}
int main(void)
{
    pthread_t threads[2 + OTHERS];
    pthread_create(&threads[0], NULL, write, NULL);
    pthread_create(&threads[1], NULL, read, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&threads[2 + i], NULL, disturb, NULL);
    for (int i = 0; i < 2 + OTHERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
# What a thread does when it has seen everything, and the kind of the finding.
FAILURES = {
    "assertion": "assert(!choice)",
    "crash": "*(volatile int *)8 = 1",
    "deadlock": "{ static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
                " pthread_mutex_lock(&m); pthread_mutex_lock(&m); }",
    "livelock": "while (value == ROUNDS) {}",
    "double-free": "{ void *volatile block = malloc(8); free(block); free(block); }",
    "exit": "exit(3)",
}


def flags(failure, rounds, others=0):
    return [f"-DROUNDS={rounds}", f"-DOTHERS={others}", f"-DFAILURE={failure}"]


def only_finding(title, result, kind):
    findings = [f for f in result["findings"] if f["kind"] == kind]
    if len(findings) != 1:
        fail(title, expected=f"one finding: {kind}", actual=[f["kind"] for f in result["findings"]])
    return findings[0]


def order(costs):
    return [costs[name] for name in ("preemptions", "switches", "steps")]


def check(bench, title, result, kind, preemptions, proved=True):
    finding = only_finding(title, result, kind)
    got = finding["preemptions"], finding["fewest_preemptions"]
    if got != (preemptions, proved):
        fail(title, expected=f"{preemptions} preemptions, proved: {proved}", actual=got,
             found=finding["found"])
    if not finding["confirmed"] or order(finding) > order(finding["found"]):
        fail(title, expected="a confirmed schedule no worse than the one found", actual=finding)
    if finding["execution"] != result["first_bug"]:
        fail(title, expected=f"execution {result['first_bug']}, in which it was found",
             actual=finding["execution"])
    bench.replay_all(title, result)
    return finding


def strategies(bench):
    program = bench.build("rounds-2", ROUNDS, flags(FAILURES["assertion"], 2))
    for strategy in tier.sample("shrinking", STRATEGIES, 4):
        options = ["-s", strategy, "-n", "100000"]
        result = bench.explore(options, program, status=1)
        finding = check(bench, f"found by {strategy}", result, "assertion", 2)
        again = bench.explore(options, program, status=1)
        other = only_finding(f"{strategy}, again", again, "assertion")
        for name in ("preemptions", "delays", "switches", "steps", "found", "execution"):
            if finding[name] != other[name]:
                fail(f"{strategy}: two runs with the same seed", expected=finding[name],
                     actual=other[name], field=name)
        plain = bench.explore([*options, "--no-shrink"], program, status=1)
        as_found = only_finding(f"{strategy}, --no-shrink", plain, "assertion")
        if order(as_found) != order(finding["found"]) or as_found["fewest_preemptions"] is not None:
            fail(f"{strategy}: --no-shrink", expected=finding["found"], actual=as_found)


def modes(bench):
    program = bench.build("rounds-2-modes", ROUNDS, flags(FAILURES["assertion"], 2))
    for mode, options in tier.sample("shrinking: modes", MODES.items(), 2):
        result = bench.explore(["-s", "random", "-n", "100000", *options], program, status=1)
        check(bench, f"{mode}", result, "assertion", 2)


def kinds(bench):
    for kind, failure in FAILURES.items():
        program = bench.build(f"kind-{kind}", ROUNDS, flags(failure, 2))
        options = ["-s", "pos", "-n", "100000", "--races", "off", "--expect-exit", "0"]
        check(bench, kind, bench.explore(options, program, status=1), kind, 2)


def proofs(bench):
    """Four preemptions; with many others, all schedules with three are too many to be tried."""
    program = bench.build("rounds-3", ROUNDS, flags(FAILURES["assertion"], 3))
    result = bench.explore(["-s", "random", "-n", "1000000"], program, status=1)
    check(bench, "three rounds", result, "assertion", 4)
    program = bench.build("rounds-3-others", ROUNDS, flags(FAILURES["assertion"], 3, others=5))
    result = bench.explore(["-s", "surw", "-n", "100000"], program, status=1)
    check(bench, "three rounds among others", result, "assertion", 4, proved=False)
    command = [bench.bohr, "run", "--no-progress", "-s", "preempt", "-o", bench.folder / "told",
               bench.folder / "rounds-2"]
    done = run(command)
    if "with 2 preemptions, the fewest that show it" not in done.output:
        fail("the report", command=shown(command), expected="the fewest that show it",
             actual=done.output)


# A loop that nobody sees from outside costs seconds each time: it is reported as it was found.
HANG = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int value;
__attribute__((no_sanitize("thread"))) static void endless(void)
{
    for (;;)
        __asm__ volatile("");
}
static void *work(void *unused)
{
    value++;
    if (value == 2)
        endless();
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def hangs(bench):
    program = bench.build("hang", HANG)
    result = bench.explore(["-s", "random", "--hang", "1s"], program, status=1)
    finding = only_finding("a hang", result, "hang")
    if order(finding) != order(finding["found"]):
        fail("a hang", expected="the schedule that was found", actual=finding)


def check_all(bench):
    strategies(bench)
    modes(bench)
    kinds(bench)
    proofs(bench)
    hangs(bench)


bench_run(check_all)
