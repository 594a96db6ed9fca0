#!/usr/bin/env python3
"""What the schedule does not decide is noticed by every strategy, whatever decides instead: chance, time, or what is
left over from the execution before. The report and the JSON result say at which step, what was expected and what
came; nothing is claimed. Programs that are deterministic are never blamed. `make test` takes a sample of the searches."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, run, shown  # noqa: E402

SOURCE = """
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <x86intrin.h>
static pthread_mutex_t usual = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static long executions;
static long executions_so_far(const char *program)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.executions", program);
    int file = open(name, O_CREAT | O_APPEND | O_WRONLY, 0600);
    long count = write(file, "x", 1) == 1 ? lseek(file, 0, SEEK_END) : -1;
    close(file);
    return count;
}
static int file_says(void)
{
    unsigned char random = 0;
    int file = open("/proc/sys/kernel/random/uuid", O_RDONLY);
    int count = read(file, &random, 1);
    close(file);
    return count == 1 && random & 1;
}
static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_t *mutex = SAYS ? &other : &usual;
        pthread_mutex_lock(mutex);
        pthread_mutex_unlock(mutex);
    }
    return unused;
}
int main(int count, char **arguments)
{
    pthread_t threads[2];
    executions = COUNTS ? executions_so_far(arguments[0]) : file_says() * 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
STRATEGIES = ["dfs", "preempt", "delay", "dpor", "random", "auto"]
SAMPLERS = ["random", "pct", "pos", "surw", "rf", "rare", "few", "auto"]
PLACE = re.compile(r"T[12] (?:(?:un)?able to )?(?:un)?lock (?:usual|other) at \S+:\d+")


def build(bench, name, says, rounds, counts=0):
    return bench.build(name, SOURCE, [f"-DSAYS={says}", f"-DROUNDS={rounds}", f"-DCOUNTS={counts}"])


def notices(bench, title, program, options):
    """The finding; it says all that it should."""
    command, report = bench.command(["-n", "500", *options], program)
    done = run(command)
    result = bench.result(done, report, 1)
    story = dict(command=shown(command), output=done.text())
    found = [each for each in result["findings"] if each["kind"] == "nondeterminism"]
    if len(found) != 1 or result["complete"] or "nothing is proved" not in result["claim"]["text"]:
        fail(title, expected="one nondeterminism, and nothing claimed", **story)
    diverged = found[0]["diverged"] or fail(title, expected="where it diverged", **story)
    text = f"step {diverged['step']}: expected {diverged['expected']}, got {diverged['got']}"
    if diverged["expected"] == diverged["got"] or found[0]["message"] != text:
        fail(title, expected="another thing than was got, and a message that says so", actual=text,
             **story)
    if text not in " ".join(done.output.split()):
        fail(title, expected=f"a report with: {text}", **story)
    return diverged


def at_random(bench):
    """Sixteen times either of two mutexes, by chance: with the first execution run twice, hardly ever
    the same; the difference is in the mutex, or in whether it can be had."""
    for name, says in (("file", "file_says()"), ("time", "__rdtsc() >> 5 & 1")):
        program = build(bench, name, says, 8)
        searches = [["-s", name] for name in STRATEGIES] + [
            ["-s", "dfs", "--isolate", "fork"], ["-s", "random", "--isolate", "exec"],
            ["-s", "dpor", "--isolate", "exec", "-k"], ["-s", "random", "-j", "2"]]
        for options in tier.sample(name, searches, 4):
            title = f"{name}: {' '.join(options)}"
            diverged = notices(bench, title, program, options)
            for side in ("expected", "got"):
                if not PLACE.fullmatch(diverged[side]):
                    fail(title, expected="a thread, its operation, the mutex and the line",
                         actual=diverged[side])
            print(f"ok   {title}: {diverged}")


def from_some_execution_on(bench):
    """The second of three rounds is on the other mutex from the sixth run on, and always: only
    comparing with what was run before shows it. With dpor that needs the operation that was pending
    where a branch begins."""
    program = build(bench, "late", "executions > 5 && i == 1", 3, 1)
    searches = [["-s", name] for name in ("dfs", "preempt", "delay", "dpor")] + [
        ["-s", "dpor", "--reduction", "source"], ["-s", "dpor", "--isolate", "exec"],
        ["-s", "dfs", "--isolate", "fork"]]
    for options in tier.sample("late", searches, 4):
        program.with_name("late.executions").unlink(missing_ok=True)
        title = f"from the sixth run on: {' '.join(options)}"
        diverged = notices(bench, title, program, ["--no-checkpoint", *options])
        words = [re.match(r"(T[12]) (?:able to )?lock (usual|other) at ", diverged[side])
                 for side in ("expected", "got")]
        if None in words or [word[1] for word in words][0] != words[1][1] or [
                word[2] for word in words] != ["usual", "other"]:
            fail(title, expected="the same thread at `usual`, then at `other`", actual=diverged)
        print(f"ok   {title}: {diverged}")


def not_blamed(bench):
    """Executions that are run twice count once. Three locks and unlocks on each side, two creates, two
    joins and an exit: 17 steps."""
    program = build(bench, "good", "0", 3)
    searches = [["-s", name] for name in SAMPLERS] + [["-s", "random", "--isolate", "exec"]]
    for options in tier.sample("good", searches, 4):
        limit = 30 if "exec" in options else 300
        result = bench.explore([*options, "-n", str(limit)], program, status=0)
        if result["findings"]:
            fail(f"a deterministic program under {options[1]}", expected="no findings", actual=result)
        if options[1] != "auto" and (result["executions"], result["steps"]) != (limit, 17 * limit):
            fail(f"a deterministic program under {options[1]}",
                 expected=f"{limit} executions of 17 steps",
                 actual=f"{result['executions']}, {result['steps']} steps")
        print(f"ok   nothing to blame: {' '.join(options)}")


def check(bench):
    at_random(bench)
    from_some_execution_on(bench)
    not_blamed(bench)


bench_run(check)
