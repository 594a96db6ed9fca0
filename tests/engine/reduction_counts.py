#!/usr/bin/env python3
"""Programs whose numbers of classes are known from the literature or by a formula: the reductions run one
execution for each. `make test` leaves out large numbers."""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402

THREADS = """
#include <pthread.h>
#include <stdatomic.h>
static void *work(void *argument);
static void run(long count)
{
    pthread_t threads[64];
    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}
"""

# Flanagan and Godefroid 2005: threads put words into a hash table; from 12 on they meet.
INDEXER = THREADS + """
enum { SIZE = 128, WORDS = 4 };
static int table[SIZE];
static pthread_mutex_t mutex[SIZE];
static void *work(void *argument)
{
    for (int m = 1; m <= WORDS; m++) {
        int word = m * 11 + (int)(long)argument, at = word * 7 % SIZE, done = 0;
        while (!done) {
            pthread_mutex_lock(&mutex[at]);
            if (table[at] == 0) {
                table[at] = word;
                done = 1;
            }
            pthread_mutex_unlock(&mutex[at]);
            at = (at + 1) % SIZE;
        }
    }
    return NULL;
}
int main(void)
{
    run(N);
    return 0;
}
"""

# The same authors' file system: two threads meet at an inode from 14 on, at blocks never.
FILESYSTEM = THREADS + """
enum { INODES = 32, BLOCKS = 26 };
static pthread_mutex_t inodes[INODES], blocks[BLOCKS];
static int inode[INODES], busy[BLOCKS];
static void *work(void *argument)
{
    int i = (int)(long)argument % INODES;
    pthread_mutex_lock(&inodes[i]);
    for (int b = i * 2 % BLOCKS; inode[i] == 0; b = (b + 1) % BLOCKS) {
        pthread_mutex_lock(&blocks[b]);
        if (!busy[b]) {
            busy[b] = 1;
            inode[i] = b + 1;
        }
        pthread_mutex_unlock(&blocks[b]);
    }
    pthread_mutex_unlock(&inodes[i]);
    return NULL;
}
int main(void)
{
    run(N);
    return 0;
}
"""

# Abdulla, Aronis, Jonsson, Sagonas 2014: one looks for the last zero, the others write.
LASTZERO = THREADS + """
static atomic_int array[N + 1];
static void *work(void *argument)
{
    long me = (long)argument;
    if (me > 0)
        atomic_store(&array[me], atomic_load(&array[me - 1]) + 1);
    for (int i = N; me == 0 && atomic_load(&array[i]) != 0;)
        i--;
    return NULL;
}
int main(void)
{
    run(N + 1);
    return 0;
}
"""

READERS = THREADS + """
static atomic_int x;
static void *work(void *argument)
{
    if (argument == NULL)
        atomic_store(&x, 1);
    else
        atomic_load(&x);
    return NULL;
}
int main(void)
{
    run(N + 1);
    return 0;
}
"""

INCREMENTS = THREADS + """
static atomic_int x;
static void *work(void *argument)
{
    atomic_fetch_add(&x, 1);
    return argument;
}
int main(void)
{
    run(N);
    return 0;
}
"""

# Different bytes of one word are different objects; a write of all of them meets each.
BYTES = THREADS + """
static union {
    _Atomic unsigned long all;
    _Atomic unsigned char each[8];
} word;
static void *work(void *argument)
{
    long me = (long)argument;
    if (me == N)
        atomic_store(&word.all, 1);
    else
        atomic_store(&word.each[me], 1);
    return NULL;
}
int main(void)
{
    run(N + 1);
    return 0;
}
"""

CASES = [
    ("indexer", INDEXER, {11: 1, 12: 8, 13: 64, 14: 512, 15: 4096}),
    ("filesystem", FILESYSTEM, {13: 1, 14: 2, 16: 8, 18: 32, 20: 128, 22: 512}),
    ("lastzero", LASTZERO, {5: 64, 10: 3328, 12: 15360}),
    ("readers", READERS, {n: 2 ** n for n in (1, 8, 13)}),
    ("increments", INCREMENTS, {n: math.factorial(n) for n in (1, 4, 7)}),
    ("bytes", BYTES, {n: 2 ** n for n in (1, 5)}),
]

# The same from corpus/: all sizes that were published, and formulas.
CORPUS = {
    "indexer": {11: 1, 12: 8, 13: 64, 14: 512, 15: 4096, 16: 32768},
    "filesystem": {13: 1, 14: 2, 16: 8, 18: 32, 20: 128, 22: 512, 24: 2048, 26: 8192},
    "lastzero": {5: 64, 10: 3328, 12: 15360, 15: 147456},
    "writer_readers": {n: 2 ** n for n in (8, 13)},
    "increments": {n: math.factorial(n) for n in (2, 5, 8)},
}
TREE_MOST = 64 << 20  # bytes


CLASSES_MAX = tier.by_tier(300, 3000, 1_000_000)


def small(counts):
    """The sizes that are counted in this tier."""
    return [(n, classes) for n, classes in counts.items() if classes <= CLASSES_MAX]


def check_corpus(bench):
    sources = pathlib.Path(__file__).resolve().parent.parent.parent / "corpus"
    for name, counts in CORPUS.items():
        program = bench.build(name, (sources / f"{name}.c").read_text())
        for n, classes in small(counts):
            result = bench.explore(["-s", "dpor"], program, [str(n)], status=0)
            got = [result["executions"], result["classes"], result["cut"], result["claim"]["kind"]]
            if got != [classes, classes, 0, "all-classes"]:
                fail(f"corpus/{name} {n}", expected=[classes, classes, 0, "all-classes"], actual=got)
            tree, peak = result.get("tree_bytes", 0), result["peak_bytes"]
            if tree > TREE_MOST or peak > TREE_MOST:
                fail(f"corpus/{name} {n}", expected=f"no more than {TREE_MOST} bytes",
                     actual=f"the tree {tree}, the worker {peak}")
        print(f"ok   corpus/{name} up to {n}: {classes} classes, the tree takes up to {tree / 2**20:.1f} MiB, "
              f"the worker {peak / 2**20:.1f} MiB")


def check(bench):
    check_corpus(bench)
    for name, source, counts in CASES:
        for n, classes in small(counts):
            program = bench.build(f"{name}-{n}", source, [f"-DN={n}"])
            options = ["-s", "dpor"]
            result = bench.explore(options, program, status=0)
            again = result["restarts"]  # overlaps show in the first execution, and restart the search
            got = [result["executions"] - again, result["classes"], result["cut"], result["complete"]]
            if again > (name == "bytes"):
                fail(f"{name} with {n} threads", expected="no restart", actual=f"{again} restarts")
            if got != [classes, classes, 0, True] or result["claim"]["kind"] != "all-classes":
                fail(f"{name} with {n} threads", options=shown(options),
                     expected=f"{classes} executions and classes, none cut, all of them",
                     actual=got, claim=result["claim"])
    print(f"ok   {sum(len(small(counts)) for _, _, counts in CASES)} programs with known numbers of classes")


bench_run(check)
