#!/usr/bin/env python3
"""Steps before a checkpoint that are others than they were. A turn of a loop shows to have done nothing only when it is over:
with a checkpoint in the middle of it the search is the same as without. And what a program does otherwise
after a return to a checkpoint, since something decides that is not put back, is nondeterminism, at the step where it shows."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import COUNTS, bench_run, fail, run, shown  # noqa: E402

LOOPS = """
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int a, b, c;
static void *waits(void *unused)
{
    while (CONDITION)
        PAUSE;
    c++;
    return unused;
}
static void *writes(void *unused)
{
    c++;
    a = 1;
    b = 1;
    a = 2;
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, waits, NULL);
    pthread_create(&threads[1], NULL, writes, NULL);
    pthread_create(&threads[2], NULL, waits, NULL);
    for (int i = 0; i < 3 && JOINS; i++)
        pthread_join(threads[i], NULL);
    c++;
    return 0;
}
"""
CASES = [("a == 0", "", 0), ("a == 0", "sched_yield()", 1), ("a + b < 2", "", 1), ("a + b < 2", "sched_yield()", 0), ("a < 3", "", 1)]

# How often the second round was begun is kept in a file, which nobody puts back.
COUNTING = """
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t usual = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static const char *name;
static long times_so_far(void)
{
    int file = open(name, O_CREAT | O_APPEND | O_WRONLY, 0600);
    long count = write(file, "x", 1) == 1 ? lseek(file, 0, SEEK_END) : -1;
    close(file);
    return count;
}
static void *work(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_t *mutex = i == 1 && times_so_far() > 15 ? &other : &usual;
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
    }
    return unused;
}
int main(int count, char **arguments)
{
    pthread_t threads[2];
    name = arguments[1];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def check_loops(bench):
    for number, (condition, pause, joins) in enumerate(CASES):
        program = bench.build(f"loop-{number}", LOOPS, ["-O2", f"-DCONDITION={condition}", f"-DPAUSE={pause}", f"-DJOINS={joins}"])
        for strategy in ("dpor", "dfs"):
            options = ["-s", strategy, "-k", "-n", 400, "--no-shrink"]
            wanted = bench.explore([*options, "--no-checkpoint"], program)
            got = bench.explore([*options, "--force-checkpoints", "--verify", 5], program)
            title = f"while ({condition}) {pause}"
            bench.compare(title, wanted, got, [*COUNTS, "class_set", "claim"], again=shown(["bohr", "run", *options, title]))
            if got["checkpoints"] < 2:
                fail(title, expected="checkpoints at several steps", actual=got["checkpoints"])
        print(f"ok   {title}: {wanted['executions']} executions, {got['checkpoints']} checkpoints")


def check_nondeterminism(bench):
    program = bench.build("counting", COUNTING)
    for options in (["-s", "dfs"], ["-s", "preempt"], ["-s", "dpor"], ["-s", "bpor"], ["-s", "dpor", "--reduction", "classic"]):
        kept = bench.folder / "times"
        kept.unlink(missing_ok=True)
        command, report = bench.command([*options, "--force-checkpoints"], program, [kept])
        done = run(command)
        result = bench.result(done, report, 1)
        found = [each for each in result["findings"] if each["kind"] == "nondeterminism"]
        story = dict(command=shown(command), output=done.text())
        if len(found) != 1 or result["complete"] or result["claim"]["kind"] != "nothing":
            fail("another step after a return", expected="one nondeterminism, and nothing claimed", **story)
        diverged = found[0]["diverged"]
        # Another thread may hold the usual one, and then it shows by which threads can go on.
        came = "lock other" in diverged["got"] or "able to go on" in diverged["got"]
        if "lock usual" not in diverged["expected"] or not came:
            fail("another step after a return", expected="`usual`, and `other` came", actual=diverged, **story)
        if result["checkpoints"] < 2:
            fail("another step after a return", expected="checkpoints at several steps", actual=result["checkpoints"])
        print(f"ok   {' '.join(options)}: {diverged}, {result['checkpoints']} checkpoints")


def check(bench):
    check_loops(bench)
    check_nondeterminism(bench)


if __name__ == "__main__":
    bench_run(check)
