#!/usr/bin/env python3
"""Workers share reductions of programs whose steps have several outcomes (which waiting thread a signal wakes), so that the
crown holds outcomes beside threads (bpor) and inside sequences (dpor): with any number of workers there are as many
classes, at each bound, as plain search sees, and the same findings; with dpor, as many executions."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, shown  # noqa: E402

# A signal wakes any of the threads that wait; the thread that wakes first gets the lower number.
SIGNALS = """
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tickets, served, first = -1;
static void *wait(void *number)
{
    pthread_mutex_lock(&mutex);
    while (tickets == 0)
        pthread_cond_wait(&changed, &mutex);
    tickets--;
    if (served++ == 0)
        first = (int)(long)number;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, wait, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        pthread_mutex_lock(&mutex);
        tickets++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(first != THREADS - 1 || FINE);
    return 0;
}
"""


BOUND = "3"


def found(result):
    return sorted({(f["kind"], f["message"], f["line"] or 0) for f in result["findings"]})


def by_bounds(result):
    return [(row["bound"], row["classes"]) for row in result["per_bound"] if row["classes"] > 0]


def build(bench, threads, fine):
    return bench.build(f"signals-{threads}-{fine}", SIGNALS, [f"-DTHREADS={threads}", f"-DFINE={fine}"])


def alone(bench):
    program = build(bench, 2, 1)
    plain, *reduced = (bench.explore(["-s", name], program) for name in ("dfs", "dpor", "bpor"))
    for result in reduced:
        if result["classes"] != plain["classes"]:
            fail("a reduction and plain search", expected=plain["classes"], actual=result["classes"])
    print(f"ok   2 threads: {plain['executions']} interleavings, {plain['classes']} classes")


def shared(bench, fine):
    program = build(bench, 3, fine)
    classes = bench.explore(["-s", "dpor", "-k"], program)
    bounds = bench.explore(["-s", "preempt", "-b", BOUND, "-k"], program)
    for workers in (2, 4):
        options = ["-s", "dpor", "-k", "-j", str(workers)]
        result = bench.explore(options, program)
        fields = ["classes", "complete", "verdict"] + (["executions", "cut"] if fine else [])
        bench.compare(f"dpor with {workers} workers", classes, result, fields, command=shown(options))
        options = ["-s", "bpor", "-b", BOUND, "-k", "-j", str(workers)]
        within = bench.explore(options, program)
        if by_bounds(within) != by_bounds(bounds):
            fail(f"bpor with {workers} workers", expected=by_bounds(bounds), actual=by_bounds(within),
                 command=shown(options))
        for one, several in ((classes, result), (bounds, within)):
            if found(one) != found(several):
                fail(f"findings of {workers} workers", expected=found(one), actual=found(several))
    print(f"ok   3 threads: {classes['classes']} classes, {bounds['classes']} with {BOUND} preemptions, {found(bounds)}")


def main(bench):
    alone(bench)
    shared(bench, 1)
    shared(bench, 0)


bench_run(main)
