#!/usr/bin/env python3
"""A million executions of dfs in one worker need no more memory than ten thousand do (within 10 %),
whether all executions are of one class or of very many; a sample of resets is compared byte by
byte."""
import os
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, children, command_end, command_start, fail, shown  # noqa: E402

FEW, MANY, VERIFY = 10_000, 1_000_000, 20_000
CLASS_BYTES = 64
SOURCE = """
#include <pthread.h>
static pthread_mutex_t mutexes[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER};
static int sums[3];
static void *work(void *argument)
{
    int own = OWN ? (int)(long)argument : 0;
    for (int i = 0; i < 4; i++) {
        pthread_mutex_lock(&mutexes[own]);
        sums[own] = sums[own] * 3 + (int)(long)argument;
        pthread_mutex_unlock(&mutexes[own]);
    }
    return NULL;
}
int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def memory(process):
    """What is resident now, exactly: all of it, and what belongs to this process alone."""
    try:
        text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return None
    sizes = {line.split(":")[0]: line.split()[1] for line in text.splitlines()[1:]}
    if "Rss" not in sizes:
        return None  # it is just ending
    return int(sizes["Rss"]) * 1024, int(sizes["Anonymous"]) * 1024


def is_worker(process, program):
    """Before exec it is still a copy of the coordinator."""
    try:
        return os.readlink(f"/proc/{process}/exe") == str(program)
    except OSError:
        return False


def search(bench, program, executions, verify):
    """The result, the memory at every moment looked at, and the workers that there were."""
    command, report = bench.command(["-s", "dfs", "--isolate", "reset", "-n", executions,
                                     "--verify", verify], program)
    process = command_start(command)
    samples, workers = [], set()
    while process.poll() is None:
        for worker in children(process.pid):
            if is_worker(worker, program):
                workers.add(worker)
                sample = memory(worker)
                if sample is not None:
                    samples.append(sample)
        time.sleep(0.005)
    return bench.result(command_end(process, command), report, 0), samples, workers, command


def highest(samples, column):
    return max(sample[column] for sample in samples)


def check(bench):
    for name, own in (("threads on mutexes of their own", 1), ("threads on one mutex", 0)):
        program = bench.build(f"own-{own}", SOURCE, [f"-DOWN={own}"]).resolve()
        early, _, _, _ = search(bench, program, FEW, 1000)
        late, samples, workers, command = search(bench, program, MANY, VERIFY)
        if early["executions"] != FEW or late["executions"] != MANY:
            fail(name, expected=f"{FEW} and {MANY} executions",
                 actual=f"{early['executions']} and {late['executions']}", command=shown(command))
        if own and late["classes"] != 1:
            fail(name, expected="1 class", actual=late["classes"], command=shown(command))
        if late["verified"] < MANY // VERIFY * 0.9:
            fail(name, expected=f"about {MANY // VERIFY} resets compared", actual=late["verified"],
                 command=shown(command))
        if len(workers) != 1 or len(samples) < 20:
            fail(name, expected="one worker for the whole search, looked at 20 times",
                 actual=f"{len(workers)} workers, {len(samples)} looks", command=shown(command))
        few = len(samples) // 4  # looks at it, whenever they came
        # the names of classes seen lie on the board and may take their few bytes each
        room = 0 if own else late["classes"] * CLASS_BYTES
        all_few, all_many = highest(samples[:few], 0), highest(samples, 0)
        private_few, private_many = highest(samples[:few], 1), highest(samples, 1)
        if private_many > private_few * 1.1 or all_many > all_few * 1.1 + room:
            fail(f"{name}: memory grows",
                 expected=f"at most 10 % above the {all_few} bytes ({private_few} of its own) "
                          f"early on, and {room} for the names of classes",
                 actual=f"{all_many} bytes ({private_many} of its own)", command=shown(command))
        if late["peak_bytes"] > early["peak_bytes"] * 1.1 + room:
            fail(f"{name}: memory grows",
                 expected=f"at most 10 % above {early['peak_bytes']} bytes, the peak of {FEW}",
                 actual=f"{late['peak_bytes']} bytes", command=shown(command))
        print(f"ok   {name}: {private_few >> 10} KiB early on, {private_many >> 10} KiB at the "
              f"highest; {all_few >> 10} and {all_many >> 10} KiB with the board; "
              f"{late['classes']} classes, {late['verified']} resets compared, "
              f"{late['wall_seconds']:.1f} s")


bench_run(check)
