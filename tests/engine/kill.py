#!/usr/bin/env python3
"""Killing workers at random moments, at least twenty times in one search, changes no count, with
reset and with fork isolation, alone and where several share the search. `make test` takes five of the searches."""
import os
import pathlib
import random
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import (COUNTS, bench_run, children, command_end, command_start, cpu_seconds, fail,  # noqa: E402
                    findings_of, shown, wait_until, what_bounds_show)

KILLS = 20
ATTEMPTS = 10
SOURCE = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        sum++;
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
FINDINGS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static volatile int sum;
static atomic_int turns;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        sum = sum + 1;
        atomic_fetch_add(&turns, 1);
    }
    pthread_mutex_lock(&mutex);
    assert(sum >= 2);
    pthread_mutex_unlock(&mutex);
    if (turns == 4 && sum == 2)
        *(volatile int *)8 = 1;
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
# name, workers, threads, rounds (0: the program with findings), options, shortest and longest pause
# of kills
SEARCHES = [
    ("dfs, reset", 1, 2, 9, ["-s", "dfs", "--isolate", "reset"], 0.005, 0.06),
    ("preempt, reset", 1, 2, 9, ["-s", "preempt", "-b", "9", "--isolate", "reset"], 0.005, 0.06),
    ("dfs with findings, reset", 1, 2, 0, ["-s", "dfs", "-k", "--isolate", "reset"], 0.002, 0.04),
    ("preempt in a file", 1, 2, 9, ["-s", "preempt", "-b", "9", "--memory", "1"], 0.005, 0.06),
    ("dfs, three workers", 3, 2, 9, ["-s", "dfs"], 0.005, 0.04),
    ("preempt, three workers", 3, 2, 9, ["-s", "preempt", "-b", "9"], 0.005, 0.04),
    ("dfs with findings, three workers", 3, 2, 0, ["-s", "dfs", "-k"], 0.002, 0.03),
    ("random, three workers", 3, 2, 9, ["-s", "random", "-n", "400000"], 0.005, 0.04),
    ("dpor, three workers", 3, 3, 4, ["-s", "dpor"], 0.005, 0.03),
    ("bpor, three workers", 3, 3, 4, ["-s", "bpor", "-b", "4"], 0.005, 0.03),
    ("preempt, fork, two workers", 2, 2, 5, ["-s", "preempt", "-b", "5", "--isolate", "fork"],
     0.005, 0.03),
    ("exitblock, reset", 1, 2, 8, ["-s", "exitblock", "--isolate", "reset"], 0.005, 0.06),
    ("dfs, fork", 1, 2, 5, ["-s", "dfs", "--isolate", "fork"], 0.005, 0.03),
    ("preempt, fork", 1, 2, 5, ["-s", "preempt", "-b", "5", "--isolate", "fork"], 0.005, 0.03),
]


def kill_while_running(bench, options, program, shortest, longest, seed):
    command, report = bench.command(options, program)
    process = command_start(command)
    moments, workers = random.Random(seed), set()
    while process.poll() is None and len(workers) < KILLS + 5:
        time.sleep(moments.uniform(shortest, longest))
        alive = children(process.pid)
        for worker in moments.sample(alive, min(len(alive), 1)):
            try:
                os.kill(worker, signal.SIGKILL)
                workers.add(worker)
            except ProcessLookupError:
                pass  # it had just ended by itself
    result = bench.result(command_end(process, command), report)
    return result, len(workers), command


def compare(bench, name, options, workers, calm, shaken, kills, command):
    if "bpor" in options:  # several workers run now and then one more
        if what_bounds_show(calm) != what_bounds_show(shaken):
            fail(f"{name}: {kills} kills change what is shown", expected=what_bounds_show(calm),
                 actual=what_bounds_show(shaken), command=shown(command))
        return
    counts = [count for count in COUNTS if workers == 1 or count != "first_bug"]
    if "dpor" in options:  # one execution for each class, but not always the same
        counts.remove("fingerprint")
    restarted = workers > 1 and calm["restarts"] > 0  # how much the others had run by then depends on time
    if restarted:
        counts = [count for count in counts if count not in ("executions", "steps")]
    bench.compare(f"{name}: {kills} kills change a count", calm, shaken,
                  counts + (["max_steps", "max_points"] if "dpor" not in options else []),
                  command=shown(command))
    wanted, came = ([finding[:-1] if restarted and finding[0] == "race" else finding for finding in findings_of(result)]
                    for result in (calm, shaken))
    if wanted != came:
        fail(f"{name}: {kills} kills change the findings", expected=wanted, actual=came, command=shown(command))


HANGS = """
#include <pthread.h>
static void *work(void *unused)
{
    for (volatile int i = 0;; i++)
        ;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
"""


def all_below(process):
    below = children(process)
    return below + [each for child in below for each in all_below(child)]


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def hangs_below(process, depth):
    """As many processes as an execution takes, the last of which computes."""
    below = all_below(process)
    return len(below) >= depth and cpu_seconds(below[-1]) >= 0.3


def nobody_outlives_the_tool(bench):
    """The tool is killed while an execution hangs, in each way to begin one."""
    program = bench.build("hangs", HANGS)
    for isolate, depth in (("reset", 1), ("exec", 1), ("fork", 2)):
        command, _ = bench.command(["--isolate", isolate, "--hang", "1h"], program)
        process = command_start(command)
        wait_until("an execution that hangs", lambda: hangs_below(process.pid, depth), process)
        below = all_below(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        wait_until("the end of what the tool had started", lambda: not any(is_alive(each) for each in below))
        if len(below) < depth:
            fail(f"{isolate}: the tool is killed", expected=f"{depth} processes that end with it",
                 actual=f"{len(below)} processes", command=shown(command))
    print("ok   who is killed leaves nobody behind")


def check(bench):
    nobody_outlives_the_tool(bench)
    for seed, (name, workers, threads, rounds, options, shortest, longest) in tier.sample("kill", enumerate(SEARCHES), 5):
        program = bench.build(f"locks-{threads}x{rounds}", SOURCE if rounds else FINDINGS,
                              [f"-DTHREADS={threads}", f"-DROUNDS={rounds}"])
        calm = bench.explore(options, program)
        for attempt in range(1, 1 + ATTEMPTS):  # a search may end before it was disturbed enough
            shaken, kills, command = kill_while_running(
                bench, [*options, "-j", str(workers)], program, shortest / attempt,
                longest / attempt, ATTEMPTS * seed + attempt)
            compare(bench, name, options, workers, calm, shaken, kills, command)
            if kills >= KILLS:
                break
        else:
            fail(f"{name}: the search was over too soon", expected=f"at least {KILLS} kills",
                 actual=kills, command=shown(command))
        print(f"ok   {name}: {kills} workers killed, {shaken['executions']} executions, "
              f"{shaken['classes']} classes, {shaken['wall_seconds']:.1f} s "
              f"({calm['wall_seconds']:.1f} s undisturbed)")


bench_run(check)
