#!/usr/bin/env python3
"""An execution may have 256 threads, on both carriers; one more is refused by a clear message."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

SOURCE = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;
static void *work(void *unused)
{
    sum++;
    return unused;
}
int main(void)
{
    pthread_t threads[CREATED];
    for (int i = 0; i < CREATED; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < CREATED; i++)
        pthread_join(threads[i], NULL);
    return sum != CREATED;
}
"""
MODES = [[], ["--isolate", "fork"], ["--isolate", "fork", "--carrier", "kernel"]]
SAMPLES = 5


def check(bench):
    most = bench.build("most", SOURCE, ["-DCREATED=255"])
    for options in MODES:
        result = bench.explore(["-s", "random", "-n", str(SAMPLES), "--expect-exit", "0", *options],
                               most, status=0)
        # for each of them a create, an addition and a join; then a look at the sum, and the exit
        wanted = (256, SAMPLES, SAMPLES * (3 * 255 + 2))
        if (result["threads"], result["executions"], result["steps"]) != wanted:
            fail("256 threads", expected=f"threads, executions and steps {wanted}",
                 actual=(result["threads"], result["executions"], result["steps"]))
        print(f"ok   256 threads {' '.join(options)}")
    result = bench.explore(["-s", "preempt", "-b", "0", "-n", "3"], most, status=0)
    if result["threads"] != 256:
        fail("256 threads", expected="256 under preempt", actual=result["threads"])
    more = bench.build("more", SOURCE, ["-DCREATED=256"])
    for options in MODES:
        command, report = bench.command(["-s", "random", "-n", "1", *options], more)
        done = run(command)
        result = bench.result(done, report, 3)
        for word in ("pthread_create", "256 threads", "fewer", "more.c"):
            if word not in done.text():
                fail("the 257th thread", expected=f"a message with `{word}`",
                     command=shown(command), output=done.text())
        print(f"ok   the 257th: {result['refusal']} {' '.join(options)}")


bench_run(check)
