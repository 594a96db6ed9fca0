#!/usr/bin/env python3
"""A sequence that a worker was given may end before its last event, and other sequences go on from there.

The steps of such a sequence must have the fingerprint that the worker saw: a search whose crown did not know it called the
program nondeterministic. Who finds the sequence first is left to the system, so the program is searched many times."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, shown  # noqa: E402

SEARCHES = 60
OPTIONS = ["-s", "dpor", "-j", "2", "-k", "--no-shrink", "--no-explain"]
SOURCE = """
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int ends[2], event, data;
static void *fill(void *unused)
{
    uint64_t most = UINT64_MAX - 1;
    if (write(ends[1], "a", 1) == 1)
        *(volatile int *)&data = 1;
    return write(event, &most, sizeof most) < 0 ? unused : NULL; /* waits forever: the counter is 1 */
}
static void *look(void *unused)
{
    uint64_t one = 1;
    struct pollfd in = {.fd = ends[0], .events = POLLIN};
    if (write(event, &one, sizeof one) == sizeof one && poll(&in, 1, -1) == 1 && *(volatile int *)&data)
        return &data;
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    event = eventfd(1, 0);
    if (pipe(ends) != 0)
        return 1;
    pthread_create(&threads[0], NULL, fill, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    pthread_join(threads[0], NULL);
    return pthread_join(threads[1], NULL);
}
"""


def check(bench):
    program = bench.build("void_sequence", SOURCE)
    for _ in range(SEARCHES):
        result = bench.explore(OPTIONS, program)
        kinds = sorted(finding["kind"] for finding in result["findings"])
        if kinds != ["deadlock", "race"] or result["classes"] != 2 or not result["complete"]:
            fail(f"{shown(OPTIONS)}", expected="a deadlock, a race, 2 classes", actual=f"{kinds}, {result['claim']['text']}")
    print(f"ok   {SEARCHES} searches with two workers")


bench_run(check)
