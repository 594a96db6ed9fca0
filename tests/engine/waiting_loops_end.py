#!/usr/bin/env python3
"""Loops that wait for others end under every strategy, whatever they are made of: no execution comes to the limit of
steps, and none is a livelock. A loop that tries a few times and gives up is seen to give up."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, findings_of  # noqa: E402

SOURCE = """
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static atomic_int word, left = 2;
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int done;
static const char *way;
static int is(const char *name) { return strcmp(way, name) == 0; }
static void await(atomic_int *what, int value)
{
    while (atomic_load(what) != value)
        if (is("yield"))
            sched_yield();
        else if (is("pause"))
            __builtin_ia32_pause();
        else if (is("sleep"))
            usleep(10);
}
static void take_both(int first)
{
    pthread_mutex_lock(&mutexes[first]);
    while (pthread_mutex_trylock(&mutexes[!first]) != 0) {
        pthread_mutex_unlock(&mutexes[first]);
        sched_yield();
        pthread_mutex_lock(&mutexes[first]);
    }
    done++;
    pthread_mutex_unlock(&mutexes[!first]);
    pthread_mutex_unlock(&mutexes[first]);
}
static void take_word(void)
{
    for (int free = 0; !atomic_compare_exchange_strong(&word, &free, 1); free = 0)
        ;
    done++;
    atomic_store(&word, 0);
}
static void arrive(void)
{
    atomic_fetch_sub(&left, 1);
    await(&left, 0);
}
static void *work(void *unused)
{
    if (is("back_off"))
        take_both(1);
    else if (is("compare"))
        take_word();
    else if (is("latch"))
        arrive();
    else if (is("bounded")) {
        for (int i = 0; i < 3; i++)
            if (atomic_load(&word) == 1)
                return unused;
        abort();
    } else
        await(&word, 1);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "yield";
    pthread_create(&thread, NULL, work, NULL);
    if (is("back_off"))
        take_both(0);
    else if (is("compare"))
        take_word();
    else if (is("latch"))
        arrive();
    else
        atomic_store(&word, 1);
    pthread_join(thread, NULL);
    return done == 1;
}
"""
LOOPS = ["yield", "pause", "sleep", "back_off", "compare", "latch"]
COMPLETE = {"dfs", "depth", "preempt", "delay", "dpor", "bpor"}
OPTIONS = ["--no-shrink", "--steps", "2000", "-n", "40"]


def check_ends(bench, binary, strategy, loop):
    result = bench.explore([*OPTIONS, "-s", strategy], binary, [loop])
    story = dict(strategy=strategy, loop=loop, claim=result["claim"]["text"], actual=findings_of(result))
    if strategy == "stateful" and loop == "back_off":  # two can go on so forever, though other orders lead out
        if [finding["kind"] for finding in result["findings"]] != ["livelock"]:
            fail("two that back off from each other", expected="a livelock", **story)
        return
    told = {"lockset"} if strategy.startswith("exitblock") else set()  # which it is made for
    if {finding["kind"] for finding in result["findings"]} - told:
        fail("waiting loops end", expected="nothing is wrong with it", **story)
    if "cut at the limit" in result["claim"]["text"] or result["executions"] == 0:
        fail("waiting loops end", expected="executions that end", **story)
    if strategy in COMPLETE and loop != "back_off" and not result["complete"]:
        fail("waiting loops end", expected="the whole search", **story)


def check_bounded(bench, binary, strategy):
    result = bench.explore([*OPTIONS, "-k", "-s", strategy], binary, ["bounded"])
    kinds = {finding["kind"] for finding in result["findings"]} - {"lockset"}
    wanted = {"crash"} if strategy in COMPLETE else kinds & {"crash"}
    if kinds != wanted:
        fail("a bounded loop gives up", strategy=strategy, expected=wanted, actual=findings_of(result))
    return bool(kinds)


def check(bench):
    binary = bench.build("waits", SOURCE, ["-O1"])
    listed = bench.must([bench.bohr, "list", "strategies"]).output.splitlines()
    strategies = [line.split()[0] for line in listed if line.strip()]
    if not COMPLETE < set(strategies):
        fail("strategies", expected=sorted(COMPLETE), actual=strategies)
    gave_up = 0
    for strategy in strategies:
        for loop in LOOPS:
            check_ends(bench, binary, strategy, loop)
        gave_up += check_bounded(bench, binary, strategy)
    print(f"ok   {len(LOOPS)} loops under {len(strategies)} strategies; {gave_up} saw one give up")


bench_run(check)
