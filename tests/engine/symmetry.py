#!/usr/bin/env python3
"""Threads that cannot be told apart (--symmetry): as many executions as there are with their first steps in order
of creation; where they can be told apart, by whatever means, what plain search finds is found and the claim says so. `make
test` takes three searches of each program."""
import json
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from count import atomics, count, locks  # noqa: E402
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402

HEAD = """
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t t[8];
static atomic_int x, go;
static sem_t never;
static volatile int plain, data[8];
static void join_all(int n) { for (int i = 0; i < n; i++) pthread_join(t[i], NULL); }
#define CREATE(n, f) for (int i = 0; i < (n); i++) pthread_create(&t[i], NULL, f, NULL)
"""

COUNTED = HEAD + """
static int repeats;
static void *add(void *unused) { for (int i = 0; i < repeats; i++) atomic_fetch_add(&x, 1); return NULL; }
static void *take(void *unused)
{
    for (int i = 0; i < repeats; i++) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}
int main(int count, char **words)
{
    int n = atoi(words[2]);
    repeats = atoi(words[3]);
    CREATE(n, words[1][0] == 'a' ? add : take);
    join_all(n);
}
"""

# name: (program, whether threads are told apart). In each the assertion fails, or the race is there, only if the thread
# that was created second comes first.
APART = {
    "who asks for itself": ("""
static void *f(void *unused)
{
    int mine = atomic_fetch_add(&x, 1);
    assert(!(mine == 0 && pthread_equal(pthread_self(), t[1])));
    return NULL;
}
int main(void) { pthread_mutex_lock(&m); CREATE(2, f); pthread_mutex_unlock(&m); join_all(2); }
"""),
    "results that differ": ("""
static void *f(void *unused) { return (void *)(long)atomic_fetch_add(&x, 1); }
int main(void)
{
    void *first;
    CREATE(2, f);
    pthread_join(t[0], &first);
    assert(first == NULL);
    pthread_join(t[1], NULL);
}
"""),
    "a join that is never over": ("""
static void *f(void *unused) { if (atomic_fetch_add(&x, 1) == 0) sem_wait(&never); return NULL; }
int main(void)
{
    CREATE(2, f);
    pthread_join(t[0], NULL);
    assert(0);
}
"""),
    "something between the joins": ("""
static void *f(void *unused) { if (atomic_fetch_add(&x, 1) == 1) atomic_store(&go, 1); return NULL; }
int main(void)
{
    CREATE(2, f);
    pthread_join(t[0], NULL);
    int seen = atomic_load(&go), all = atomic_load(&x);
    pthread_join(t[1], NULL);
    assert(!(seen == 1 && all == 2) || atomic_load(&x) == 2);
    assert(seen == 0);
}
"""),
    "one that is not joined": ("""
static void *f(void *unused) { if (atomic_fetch_add(&x, 1) == 1) atomic_store(&go, 1); return NULL; }
int main(void)
{
    CREATE(2, f);
    pthread_join(t[0], NULL);
    assert(atomic_load(&go) == 0);
}
"""),
    "memory between the joins": ("""
static void *f(void *unused)
{
    data[atomic_fetch_add_explicit(&x, 1, memory_order_relaxed)] = 1;
    return NULL;
}
int main(void)
{
    CREATE(2, f);
    pthread_join(t[0], NULL);
    plain = data[0];
    pthread_join(t[1], NULL);
}
"""),
    "memory between the creations": ("""
static void *f(void *unused)
{
    if (atomic_fetch_add_explicit(&x, 1, memory_order_relaxed) == 1)
        (void)data[0];
    return NULL;
}
int main(void)
{
    pthread_create(&t[0], NULL, f, NULL);
    data[0] = 1;
    pthread_create(&t[1], NULL, f, NULL);
    join_all(2);
}
"""),
    "a parent that ends": ("""
static void *f(void *unused) { if (atomic_fetch_add(&x, 1) == 0) atomic_store(&go, 1); return NULL; }
static void *parent(void *unused) { CREATE(2, f); pthread_join(t[0], NULL); return NULL; }
int main(void)
{
    pthread_t p;
    pthread_create(&p, NULL, parent, NULL);
    pthread_join(p, NULL);
    assert(atomic_load(&go) == 1);
}
"""),
    "one that is cancelled": ("""
static void *f(void *unused) { if (atomic_fetch_add(&x, 1) == 0) pthread_testcancel(), atomic_store(&go, 1); return NULL; }
int main(void)
{
    CREATE(2, f);
    pthread_cancel(t[1]);
    join_all(2);
    assert(atomic_load(&go) == 1);
}
"""),
    "one that is detached": ("""
static void *f(void *unused) { if (atomic_fetch_add(&x, 1) == 0) atomic_store(&go, 1); return NULL; }
int main(void)
{
    CREATE(2, f);
    pthread_detach(t[1]);
    pthread_join(t[0], NULL);
    assert(atomic_load(&go) == 1);
}
"""),
}

# Not taken for equal in the first place.
DIFFERENT = {
    "other arguments": """
static void *f(void *mine) { assert(atomic_fetch_add(&x, 1) == (long)mine); return NULL; }
int main(void)
{
    pthread_create(&t[0], NULL, f, (void *)0);
    pthread_create(&t[1], NULL, f, (void *)1);
    join_all(2);
}
""",
    "numbers that nobody sees": """
__attribute__((no_sanitize("thread"), noinline)) static int number(void) { return plain++; }
static void *f(void *unused) { int mine = number(); assert(atomic_fetch_add(&x, 1) == mine); return NULL; }
int main(void) { CREATE(2, f); join_all(2); }
""",
    "values that nobody sees": """
__attribute__((no_sanitize("thread"), noinline)) static int number(void) { return plain++; }
static void *f(void *unused) { atomic_store(&x, number()); return NULL; }
int main(void) { CREATE(2, f); join_all(2); assert(atomic_load(&x) == 1); }
""",
}

# Nothing tells them apart: failures and deadlocks are found, and the claim is whole.
EQUAL = {
    "a deadlock of two": """
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *unused)
{
    bool_first: ;
    pthread_mutex_t *first = atomic_fetch_add(&x, 1) == 0 ? &m : &n, *second = first == &m ? &n : &m;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return NULL;
}
int main(void) { CREATE(2, f); join_all(2); }
""".replace("    bool_first: ;\n", ""),
    "a lost update": """
static void *f(void *unused) { int seen = atomic_load(&x); atomic_store(&x, seen + 1); return NULL; }
int main(void) { CREATE(3, f); join_all(3); assert(atomic_load(&x) == 3); }
""",
    "a race": """
static void *f(void *unused) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); plain++; return NULL; }
int main(void) { CREATE(2, f); join_all(2); }
""",
    "nobody is joined": """
static void *f(void *unused) { assert(atomic_fetch_add(&x, 1) < 2); return NULL; }
int main(void) { CREATE(3, f); }
""",
}


def explore(bohr, program, *options, arguments=()):
    command = [bohr, "run", "-q", "--no-explain", "--no-shrink", "-k", "-o", str(program) + "-out", "--json", "-", *options,
               program, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode > 1:
        fail("--symmetry works", command=shown(command), status=done.returncode, said=done.stderr)
    return command, json.loads(done.stdout)


def found(result):
    return {(finding["kind"], finding["line"]) for finding in result["findings"]}


def check_counts(bohr, program):
    for word, family, threads, repeats in (("a", atomics, 2, 1), ("a", atomics, 3, 1), ("a", atomics, 4, 1),
                                           ("a", atomics, 3, 2), ("l", locks, 2, 2), ("l", locks, 3, 1)):
        rows = count(family(threads, repeats), in_order=range(1, threads + 1))
        arguments = [word, threads, repeats]
        for strategy in ("dfs", "preempt", "best"):
            command, result = explore(bohr, program, "-s", strategy, "--symmetry", arguments=arguments)
            by_bound = {row["bound"]: row["executions"] for row in result["per_bound"]}
            if result["executions"] != sum(rows.values()) or (by_bound and by_bound != dict(rows)):
                fail("executions with equal threads in order", command=shown(command), expected=dict(rows),
                     came=by_bound or result["executions"])
            if result["claim"]["kind"] != "all":
                fail("all interleavings are claimed", command=shown(command), came=result["claim"]["text"])
    for threads in range(2, 7):
        for options, expected in (([], math.factorial(threads)), (["--symmetry"], 1),
                                  (["--symmetry", "--isolate", "fork"], 1), (["--symmetry", "-j", "2"], 1),
                                  (["--symmetry", "--reduction", "source"], 1),
                                  (["--symmetry", "--reduction", "classic"], 1)):
            command, result = explore(bohr, program, "-s", "dpor", *options, arguments=["a", threads, 1])
            if (result["executions"], result["cut"], result["claim"]["kind"]) != (expected, 0, "all-classes"):
                fail("n! orders of increments become one", command=shown(command), expected=expected,
                     came=f"{result['executions']}, {result['cut']} cut, {result['claim']['text']}")


def check_found(bohr, program, title, apart):
    reference, plain = explore(bohr, program, "-s", "dfs")
    if not found(plain):
        fail("plain search finds something", command=shown(reference))
    searches = [(strategy, more) for strategy in ("dfs", "preempt", "dpor", "best")
                for more in ([], ["--reduction", "classic"] if strategy == "best" else ["-j", "2"])]
    for strategy, more in tier.sample(title, searches, 3):
        command, result = explore(bohr, program, "-s", strategy, "--symmetry", *more)
        if found(result) != found(plain):
            fail(f"{title}: all is found", command=shown(command), expected=found(plain), came=found(result))
        text = result["claim"]["text"]
        if ("can be told apart" in text) != apart:
            fail(f"{title}: the claim says who is told apart", command=shown(command), came=text)
        if not more and not apart and result["claim"]["kind"] == "nothing":
            fail(f"{title}: something is claimed", command=shown(command), came=text)
        if title in EQUAL and not more and result["executions"] >= plain["executions"]:
            fail(f"{title}: it takes fewer executions", command=shown(command),
                 came=f"{result['executions']}, without --symmetry {plain['executions']}")


def check_refusals(bohr, program):
    for options in (["-s", "delay"], ["-s", "random"], [], ["-s", "bpor"], ["-s", "dfs", "--cache"],
                    ["-s", "dfs", "--carrier", "kernel"]):
        command = [bohr, "run", "--symmetry", *options, program, "a", "2", "1"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 2 or "leave" not in done.stderr:
            fail("a kind error", command=shown(command), came=done.stderr, status=done.returncode)


def check(bench):
    bohr, counted = bench.bohr, bench.build("counted", COUNTED)
    check_counts(bohr, counted)
    check_refusals(bohr, counted)
    for programs, apart in ((APART, True), (DIFFERENT, False), (EQUAL, False)):
        for name, source in programs.items():
            check_found(bohr, bench.build(name.replace(" ", "_"), HEAD + source), name, apart)
    print(f"ok   {len(APART) + len(DIFFERENT) + len(EQUAL)} programs with equal threads")


if __name__ == "__main__":
    bench_run(check)
