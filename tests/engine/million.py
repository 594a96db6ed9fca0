#!/usr/bin/env python3
"""A million executions in one process, all default detectors on: shadow and heap are not cleared between them,
and nothing grows. Memory at the end is that of a tenth of them; an execution then takes no longer. Both
are compared loosely, and processor time, not the clock, so that a busy machine does no harm."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail  # noqa: E402

SOURCE = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *shared, plain;
static atomic_int turns;
static void *work(void *unused)
{
    int *made = malloc(64);
    *made = 1;
    atomic_fetch_add(&turns, 1);
    pthread_mutex_lock(&mutex);
    plain += *made;
    free(shared);
    shared = made;
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    free(shared);
    return plain != 2;
}
"""
MANY, FEW = 1_000_000, 100_000
MEMORY_MORE = 1 << 20
SLOWER_MAX = 4


def check(bench):
    program = bench.build("million", SOURCE, ["-O2"])
    few, many = (bench.explore(["-s", "random", "-n", str(count), "--isolate", "reset"], program,
                               status=0) for count in (FEW, MANY))
    for result, count in ((few, FEW), (many, MANY)):
        if result["executions"] != count or result["findings"] or result["restarts"]:
            fail("all executions are run, and right", expected=count, actual=result["executions"],
                 findings=result["findings"])
    if many["classes"] != few["classes"]:
        fail("all classes are seen in the first tenth", expected=few["classes"],
             actual=many["classes"])
    if many["peak_bytes"] > few["peak_bytes"] + MEMORY_MORE:
        fail("memory does not grow", expected=f"at most {few['peak_bytes'] + MEMORY_MORE} bytes",
             actual=many["peak_bytes"])
    each_few, each_many = few["cpu_seconds"] / FEW, many["cpu_seconds"] / MANY
    if each_many > SLOWER_MAX * each_few:
        fail("an execution takes no longer after a million",
             expected=f"at most {SLOWER_MAX} times {each_few * 1e9:.0f} ns", actual=f"{each_many * 1e9:.0f} ns")
    print(f"ok   {MANY} executions: {each_many * 1e9:.0f} ns each, {each_few * 1e9:.0f} in a tenth of them; "
          f"{many['peak_bytes'] >> 20} MiB")


bench_run(check)
