#!/usr/bin/env python3
"""Stores that no instrumentation sees, at random places: on the board, and anywhere in writable memory. No false count
and no false claim is printed: the search ends with a finding, or says that the counts cannot be believed, or every count
is that of the program without its stores. A search that runs out of time claims no more than it completed. `make test` takes
one seed."""
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, command_start, fail, kill_group, sentence_of, shown  # noqa: E402

SEEDS = int(os.environ.get("BOHR_TEST_PROGRAMS", tier.by_tier(1, 1, 6)))
# A program that spoils the tool may keep it busy: until the time limit, then until its worker counts as hanging. Both are
# far below the seconds after which the test kills the search. A killed search says nothing, which is not false; but it
# is the exception, or the time limit does not work.
TIME_MAX, HANG, KILL_SECONDS, KILLED_MAX = "10s", "2s", 1000, 3
COUNTS = ["executions", "steps", "classes", "fingerprint", "class_set", "per_bound", "complete", "verdict"]
SOURCE = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { REGIONS_MAX = 2000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static struct { unsigned long low, high; } regions[REGIONS_MAX];
static void *add(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        sum++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
static void two(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
/* Writable memory: all of it, or only regions with this name. */
static int regions_read(const char *name)
{
    char line[512], rights[8];
    int count = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    while (count < REGIONS_MAX && fgets(line, sizeof line, file) != NULL)
        if (strstr(line, name) != NULL &&
            sscanf(line, "%lx-%lx %7s", &regions[count].low, &regions[count].high, rights) == 3)
            count += rights[1] == 'w';
    fclose(file);
    return count;
}
/* Arguments: seed, stores, name of the regions, most bytes of a region. */
int main(int count, char **arguments)
{
    two();
    int known = regions_read(arguments[3]), stores = atoi(arguments[2]);
    unsigned long most = strtoul(arguments[4], NULL, 0);
    srand((unsigned)atoi(arguments[1]));
    int region = known > 0 ? rand() % known : 0;
    for (int i = 0; i < stores; i++) {
        unsigned long size = regions[region].high - regions[region].low;
        unsigned long at = (((unsigned long)rand() << 31) ^ (unsigned long)rand()) % (size < most ? size : most);
        char byte = (char)rand();
        __asm__ volatile("movb %0, (%1)" : : "q"(byte), "r"(regions[region].low + at) : "memory");
    }
    two();
    return 0;
}
"""
EVERYTHING = 1 << 62
# name of the regions, stores in each execution, bytes of a region
WAYS = [("bohr-board", 1000, EVERYTHING), ("bohr-board", 1000, 4096), ("bohr-board", 1000, 1 << 16),
        ("bohr-board", 30, 1 << 22), ("", 1000, EVERYTHING), ("", 1000, 1 << 18), ("", 3, 1 << 16)]


def run_or_kill(command):
    """Exit status, or None if the search had to be killed, and both outputs."""
    process = command_start(command)
    try:
        output, errors = process.communicate(timeout=KILL_SECONDS)
        return process.returncode, output, errors
    except subprocess.TimeoutExpired:
        kill_group(process)
        return None, *process.communicate()


def is_part_of(result, truth):
    """A search that ran out of time claims nothing, or only lower bounds, whose counts are true."""
    claim = result["claim"]
    if claim["kind"] == "nothing":
        return True
    done = [row for row in result["per_bound"] if claim["value"] is not None and row["bound"] <= claim["value"]]
    return (claim["kind"] == truth["claim"]["kind"] == "within-bound" and claim["value"] < truth["claim"]["value"]
            and done == truth["per_bound"][:claim["value"] + 1])


def one(bench, options, program, seed, way, truth):
    """How the search ended: its exit status, or in words."""
    name, stores, most = way
    command, report = bench.command([*options, "--no-shrink", "-t", TIME_MAX, "--hang", HANG], program,
                                    [seed, stores, name, most])
    status, output, errors = run_or_kill(command)
    story = dict(command=shown(command), output=output + errors)
    if status is None:
        return "killed"
    if status == 2 and not sentence_of(errors):
        fail("stores at random", expected="a sentence", **story)
    if status in (1, 2):
        return status
    result = json.loads(report.read_text()) if status in (0, 3) and report.exists() else None
    if result is None:
        fail("stores at random", expected="exit status 0 to 3 and a JSON file", actual=f"exit status {status}", **story)
    if status == 3:  # a store hit libc or the loader, which then ends the process by itself
        if result["refusal"] is None or result["claim"]["kind"] != "nothing":
            fail("stores at random", expected="a refusal that claims nothing", actual=result["claim"], **story)
        return status
    if not result["complete"] and is_part_of(result, truth):
        return "time over"
    wrong = [field for field in COUNTS if result[field] != truth[field]]
    if wrong:
        fail("stores at random", expected={field: truth[field] for field in wrong},
             actual={field: result[field] for field in wrong}, **story)
    return status


def check(bench):
    program = bench.build("stores", SOURCE, ["-O0", "-w"])
    killed = 0
    for options in (["-s", "dfs"], ["-s", "dpor"], ["-s", "preempt", "-b", "1"]):
        truth = bench.explore(options, program, [1, 0, "", EVERYTHING], status=0)
        for way in WAYS:
            ends = {}
            for seed in range(1, SEEDS + 1):
                end = one(bench, options, program, seed, way, truth)
                ends[end] = ends.get(end, 0) + 1
                killed += end == "killed"
                if killed > KILLED_MAX:
                    fail("searches outlive their time limit", options=shown(options), way=way, seed=seed,
                         expected=f"an end {KILL_SECONDS} s after the start, -t {TIME_MAX}")
            if way[0] and way[1] == 1000 and 0 in ends:
                fail("a thousand stores on the board", options=shown(options), expected="exit status 1 or 2", actual=ends)
            print(f"ok   {shown(options)}, {way[1]} stores in {way[0] or 'any memory'}, "
                  f"{'all' if way[2] == EVERYTHING else way[2]} bytes: ends {ends}")


bench_run(check)
