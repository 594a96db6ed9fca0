#!/usr/bin/env python3
"""Threads that wait for and wake each other with futexes: dpor shows the classes and findings of plain search, each class
once, and cuts no execution; bpor shows the same. `make test` takes the first third of the programs or fewer."""
import itertools
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402
from reductions import ends_of  # noqa: E402

HEAD = """
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int x, y;
#define CALL(operation, value, moves, other) syscall(SYS_futex, &x, operation, value, moves, other, 0);
#define WAIT CALL(FUTEX_WAIT, 0, NULL, NULL)
#define WAKE CALL(FUTEX_WAKE, 1, NULL, NULL)
#define WAKE_ALL CALL(FUTEX_WAKE, 9, NULL, NULL)
#define REQUEUE CALL(FUTEX_CMP_REQUEUE, 0, 9, &y)
#define STORE x = 1;
"""

TAIL = """
int main(int argc, char **argv)
{
    int number = atoi(argv[1]);
    pthread_t threads[3];
    for (int i = 0; i < 3 && work[number][i]; i++)
        pthread_create(&threads[i], NULL, work[number][i], NULL);
    for (int i = 0; i < 3 && work[number][i]; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""

CALLS = ("WAIT", "WAKE", "WAKE_ALL", "STORE", "REQUEUE")
NAMED = [(("WAIT",), ("WAKE", "WAIT")), (("WAIT",), ("WAKE_ALL", "WAIT")),
         (("WAKE", "WAIT"), ("WAKE", "WAIT"), ("WAKE", "WAKE_ALL"))]  # were cut; a class was lost
PAIRS, TRIPLES, SEED = tier.by_tier(5, 10, 30), tier.by_tier(5, 10, 30), 5


def programs_of(rng):
    lists = [calls for count in (1, 2) for calls in itertools.product(CALLS, repeat=count)]
    return NAMED + [[rng.choice(lists) for _ in range(2)] for _ in range(PAIRS)] + \
        [[rng.choice(lists) for _ in range(3)] for _ in range(TRIPLES)]


def source_of(programs):
    text = HEAD
    for number, threads in enumerate(programs):
        for me, calls in enumerate(threads):
            text += f"static void *work{number}_{me}(void *unused) {{ {' '.join(calls)} return unused; }}\n"
    rows = ", ".join("{" + ", ".join(f"work{number}_{me}" for me in range(len(threads))) + "}"
                     for number, threads in enumerate(programs))
    return text + f"static void *(*const work[][3])(void *) = {{{rows}}};\n" + TAIL


def seen(bench, program, number, *options):
    result = bench.explore(["-k", "--no-shrink", "-n", 50000, *options], program, [number])
    return [result["classes"], result["class_set"], ends_of(result), result["complete"]], result


def check(bench):
    programs = programs_of(random.Random(SEED))
    program = bench.build("futexes", source_of(programs), ["-w"])
    counts = {"dfs": 0, "dpor": 0, "bpor": 0}
    for number, threads in enumerate(programs):
        wanted, plain = seen(bench, program, number, "-s", "dfs")
        for strategy in ("dpor", "bpor"):
            got, reduced = seen(bench, program, number, "-s", strategy)
            once = strategy != "dpor" or [reduced["executions"], reduced["cut"]] == [plain["classes"], 0]
            if got != wanted or not once:
                fail(f"random program {number}", options=shown(["-s", strategy]), threads=threads,
                     expected=[*wanted, plain["classes"], 0], actual=[*got, reduced["executions"], reduced["cut"]])
            counts[strategy] += reduced["executions"]
        counts["dfs"] += plain["executions"]
    print(f"ok   {len(programs)} programs with futexes: " +
          ", ".join(f"{name} {count} executions" for name, count in counts.items()))


if __name__ == "__main__":
    bench_run(check)
