#!/usr/bin/env python3
"""What leaves a worker is named after objects, not after addresses: workers whose programs, libraries and mappings lie
at other addresses (--shift-layouts) share each search, and count and find what one worker does. The program itself
writes down where it lies, so that the test sees that layouts differ."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, shown, skip, what_bounds_show  # noqa: E402

HEAD = """
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static int counter;
/* Writes down where the process lies. */
__attribute__((constructor)) static void tell(int argc, char **argv)
{
    int file = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600);
    dprintf(file, "%p %p\\n", (void *)&counter, (void *)&dprintf);
    close(file);
}
"""
# Objects of each kind: static, of a library, on the heap, on a stack, in a mapping, threads.
OBJECTS = HEAD + """
static pthread_mutex_t of_program = PTHREAD_MUTEX_INITIALIZER, *of_heap;
static _Atomic int *of_mapping;
static void *work(void *of_stack)
{
    pthread_mutex_lock(&of_program);
    counter++;
    pthread_mutex_unlock(&of_program);
    atomic_fetch_add(of_mapping, 1);
    atomic_fetch_add((_Atomic int *)of_stack, 1);
    pthread_mutex_lock(of_heap);
    counter++;
    pthread_mutex_unlock(of_heap);
    flockfile(stdout);
    funlockfile(stdout);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    _Atomic int of_stack = 0;
    of_mapping = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    of_heap = malloc(sizeof *of_heap);
    pthread_mutex_init(of_heap, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &of_stack);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(of_heap);
    return 0;
}
"""
# An update is lost with one preemption; both places race, so they become scheduling points for all workers.
LOST = HEAD + """
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        counter = counter + 1;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter >= 3);
    return 0;
}
"""
# Two threads that take two locks in opposite orders, and read a block that is freed too early.
DEADLOCK = HEAD + """
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, *b;
static _Atomic int *block;
static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
    atomic_load(block);
}
static void *one(void *unused) { both(&a, b); return unused; }
static void *other(void *unused) { both(b, &a); return unused; }
int main(void)
{
    pthread_t threads[2];
    b = malloc(sizeof *b);
    block = calloc(1, sizeof *block);
    pthread_mutex_init(b, NULL);
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    free((void *)block);
    pthread_join(threads[1], NULL);
    return 0;
}
"""
SEARCHES = [["dfs"], ["depth"], ["preempt"], ["delay"], ["dpor"], ["bpor"]]
SAMPLERS = ["random", "pos", "pct", "surw", "rf", "rare", "few", "auto"]
TRIES = 40
SAME = ["executions", "classes", "buggy", "cut", "complete", "verdict", "per_bound", "threads"]


def found(result, counts):
    return sorted((f["kind"], f["message"], f["line"] or 0, f["count"] if counts else 0,
                   sorted(str((place.get("file"), place.get("line"))) for place in f.get("places", [])))
                  for f in result["findings"])


def layouts(places):
    return {tuple(line.split()) for line in places.read_text().splitlines()}


def two_layouts(bench, title, options, program):
    """The result of a search with two workers in places of their own. A search may be over before the second worker has
    come up: then it is repeated."""
    command = [*options, "-j", "2", "--shift-layouts"]
    for _ in range(TRIES):
        places = bench.folder / f"places-{bench.number}"
        result = bench.explore(command, program, [str(places)])
        if all(len(set(where)) > 1 for where in zip(*layouts(places))):
            return result
    return fail(f"{title}: both workers lie at the same addresses", expected="other places of program and library",
                actual=sorted(layouts(places)), command=shown([bench.bohr, "run", *command, program]))


def systematic(bench, name, program, options):
    title = f"{name}, {shown(options)}"
    alone = bench.explore(options, program, [str(bench.folder / "place")])
    result = two_layouts(bench, title, options, program)
    if "bpor" in options:
        if what_bounds_show(alone) != what_bounds_show(result):
            fail(title, expected=what_bounds_show(alone), actual=what_bounds_show(result))
    else:
        fields = [field for field in SAME if field not in ("executions", "buggy", "cut") or alone["restarts"] == 0]
        bench.compare(f"{title}: workers with other layouts count otherwise", alone, result, fields)
    counts = alone["restarts"] == 0 and "bpor" not in options
    if found(alone, counts) != found(result, counts):
        fail(f"{title}: workers with other layouts find otherwise", expected=found(alone, counts),
             actual=found(result, counts))
    print(f"ok   {title}: {result['executions']} executions, {result['classes']} classes, "
          f"{len(result['findings'])} findings")
    return result


def samplers(bench, program):
    for name in SAMPLERS:
        options = ["-s", name, "-n", "400", "-k"]
        alone = bench.explore(options, program, [str(bench.folder / "place")])
        result = two_layouts(bench, name, options, program)
        whole = result["executions"] == 400 or result["complete"]
        kinds = [{(kind, message, line) for kind, message, line, _, _ in found(r, False)} for r in (alone, result)]
        if kinds[0] != kinds[1] or not kinds[0] or not whole:
            fail(f"{name}: workers with other layouts", expected=f"400 executions, {kinds[0]}",
                 actual=f"{result['executions']} executions, {kinds[1]}")
        print(f"ok   {name}: {result['executions']} executions, {len(result['findings'])} findings")


def main(bench):
    if pathlib.Path("/proc/sys/kernel/randomize_va_space").read_text().strip() != "2":
        skip("address randomisation is switched off")
    objects, lost, deadlock = (bench.build(name, source) for name, source in (
        ("objects", OBJECTS), ("lost", LOST), ("deadlock", DEADLOCK)))
    for search in SEARCHES:
        limit = [] if search[0] in ("dpor", "bpor") else ["-b", "2"] if search[0] in ("preempt", "delay") else ["-b", "12"]
        if search[0] != "dfs":
            systematic(bench, "objects", objects, ["-s", *search, *limit, "-k"])
        systematic(bench, "lost", lost, ["-s", *search, "-k"])
        result = systematic(bench, "deadlock", deadlock, ["-s", *search, "-k"])
        if not any(f["kind"] == "deadlock" for f in result["findings"]):
            fail(f"deadlock, {search[0]}", expected="a deadlock", actual=found(result, False))
    samplers(bench, lost)


bench_run(main)
