#!/usr/bin/env python3
"""Published numbers of classes under sequential consistency: dpor explores exactly that many.

Each family is a program of our own. The published number is the one that GenMC 0.11.0 expects for its program of that
name (tests/correct/FAMILY/expected.sc.mo.in): execution graphs with modification order, which are classes. Where a family
has a model and the number is small, a breadth-first enumeration that shares no code with Bohr derives the number again. A
loop that waits is an assumption in the model: one class for each way it can end. `make test` leaves out large numbers."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail  # noqa: E402

SOURCE = """
#include <pthread.h>
#include <stdatomic.h>
#define LOAD(v) atomic_load(&(v))
#define STORE(v, value) atomic_store(&(v), value)
#define ADD(v) atomic_fetch_add(&(v), 1)
atomic_int x, y, z, cells[160];
atomic_int one = 1, another = 1;
static int swap(atomic_int *v, int expected, int new) { return atomic_compare_exchange_strong(v, &expected, new); }
static void *thread(void *argument)
{
    int i = (int)(long)argument, n = COUNT;
    (void)i, (void)n, (void)swap;
    CODE
    return NULL;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
BLOCKED = ("blocked",)  # the execution is none that counts


def sb(i, n):
    yield "store", "xy"[i], 1
    yield "load", "yx"[i]


def lb(i, n):
    yield "load", "yx"[i]
    yield "store", "xy"[i], 1


def mp(i, n):
    for variable in ("xy", "yx")[i]:
        yield ("store", variable, 1) if i == 0 else ("load", variable)


def s(i, n):
    yield ("store", "x", 2) if i == 0 else ("load", "y")
    yield ("store", "y", 1) if i == 0 else ("store", "x", 1)


def two_writes(i, n):
    yield "store", "xy"[i], 1
    yield "store", "yx"[i], 2


def coherence(i, n):
    for _ in range(1 if i < 2 else 2):
        yield ("store", "x", i + 1) if i < 2 else ("load", "x")


def four_reads(i, n):
    for _ in range(1 if i < 3 else 4):
        yield ("store", "x", i + 1) if i < 3 else ("load", "x")


def iriwish(i, n):
    if i == 0:
        yield "store", "x", 1
    elif i == 1:
        value = yield "load", "x"
        yield "store", "y", value
    else:
        yield "load", "xy"[i - 2]
        yield "load", "yx"[i - 2]


def rwc(i, n):
    if i != 1:
        yield "store", "x-y"[i], 1
    if i != 0:
        yield "load", "x"
    if i == 1:
        yield "load", "y"


def dekker(i, n):
    yield "store", "yx"[i], 1
    if (yield "load", "xy"[i]) == 0:
        yield "store", "z", 1 - i
        yield "load", "z"


def increments(variables):
    def body(i, n):
        for variable in variables:
            yield "add", variable
    return body


def load_store(i, n):
    value = yield "load", "x"
    yield "store", "x", value + (1 << i)


def add_beside_store(i, n):
    yield ("store", "x", 42) if i == n else ("add", "x")


def swaps(i, n):
    yield "swap", "x", 0, i + 1


def rotation(i, n):
    yield "swap", "x", i, i + 1


def swap_store(i, n):
    yield "swap", "x", 0, 1
    yield "store", "x", i + 3


def readers(i, n):
    yield ("store", "x", 42) if i == n else ("load", "x")


def writers(i, n):
    yield ("load", "x") if i == n else ("store", "x", i)


def last_zero(i, n):
    if i > 0:
        value = yield "load", ("cell", i - 1)
        yield "store", ("cell", i), value + 1
        return
    at = n
    while (yield "load", ("cell", at)) != 0:
        at -= 1


def coherence_chain(i, n):
    if i < 2:
        yield "store", "x", i + 1
        yield "load", "yz"[i]
        yield "load", "x"
    else:
        yield "store", "y", i
        yield "store", "z", i


def peterson(i, n):
    mine, its = ("cell", i), ("cell", 1 - i)
    yield "store", mine, 1
    yield "store", "y", 1 - i
    if (yield "load", its) == 1 and (yield "load", "y") == 1 - i:
        yield BLOCKED
    yield "store", "x", i
    yield "load", "x"
    yield "store", mine, 0


def ticket_lock(i, n):
    ticket = yield "add", "y"
    if (yield "load", "z") != ticket:
        yield BLOCKED
    yield "store", "x", i
    yield "load", "x"
    owner = yield "load", "z"
    yield "store", "z", owner + 1


# Family of GenMC: model, C code, and (size, threads, number).
FAMILIES = {
    "litmus/SB": (sb, "if (i == 0) { STORE(x, 1); LOAD(y); } else { STORE(y, 1); LOAD(x); }", [(0, 2, 3)]),
    "litmus/LB": (lb, "if (i == 0) { LOAD(y); STORE(x, 1); } else { LOAD(x); STORE(y, 1); }", [(0, 2, 3)]),
    "litmus/MP": (mp, "if (i == 0) { STORE(x, 1); STORE(y, 1); } else { LOAD(y); LOAD(x); }", [(0, 2, 3)]),
    "litmus/S": (s, "if (i == 0) { STORE(x, 2); STORE(y, 1); } else { LOAD(y); STORE(x, 1); }", [(0, 2, 3)]),
    "litmus/2+2W": (two_writes, "if (i == 0) { STORE(x, 1); STORE(y, 2); } else { STORE(y, 1); STORE(x, 2); }", [(0, 2, 3)]),
    "litmus/CoRR2": (coherence, "if (i < 2) STORE(x, i + 1); else { LOAD(x); LOAD(x); }", [(0, 4, 72)]),
    "litmus/fr+w+w+w+reads": (four_reads, "if (i < 3) STORE(x, i + 1); else { LOAD(x); LOAD(x); LOAD(x); LOAD(x); }", [(0, 4, 210)]),
    "litmus/IRIWish": (iriwish, "if (i == 0) STORE(x, 1); else if (i == 1) STORE(y, LOAD(x));"
                       " else if (i == 2) { LOAD(x); LOAD(y); } else { LOAD(y); LOAD(x); }", [(0, 4, 27)]),
    "litmus/RWC+syncs": (rwc, "if (i == 0) STORE(x, 1); else if (i == 1) { LOAD(x); LOAD(y); } else { STORE(y, 1); LOAD(x); }", [(0, 3, 7)]),
    "synthetic/dekker_f": (dekker, "atomic_int *v[] = {&y, &x}; STORE(*v[i], 1); if (!LOAD(*v[!i])) { STORE(z, 1 - i); LOAD(z); }", [(0, 2, 3)]),
    "synthetic/ainc": (increments("x"), "ADD(x);", [(2, 2, 2), (3, 3, 6), (4, 4, 24), (5, 5, 120), (6, 6, 720), (7, 7, 5040)]),
    "synthetic/binc": (increments("xy"), "ADD(x); ADD(y);", [(2, 2, 4), (3, 3, 36), (4, 4, 576)]),
    "synthetic/cinc": (increments("xyz"), "ADD(x); ADD(y); ADD(z);", [(2, 2, 8), (3, 3, 216), (4, 4, 13824)]),
    "synthetic/inc": (load_store, "STORE(x, LOAD(x) + (1 << i));", [(2, 2, 4), (3, 3, 36), (4, 4, 576)]),
    "synthetic/wainc": (add_beside_store, "if (i == n) STORE(x, 42); else ADD(x);", [(2, 3, 6), (3, 4, 24), (4, 5, 120)]),
    "synthetic/cas": (swaps, "swap(&x, 0, i + 1);", [(2, 2, 2), (3, 3, 3), (4, 4, 4), (5, 5, 5)]),
    "synthetic/casrot": (rotation, "swap(&x, i, i + 1);", [(2, 2, 2), (3, 3, 5), (4, 4, 14), (5, 5, 43), (6, 6, 144), (7, 7, 523),
                                                           (8, 8, 2048), (9, 9, 8597)]),
    "synthetic/casw": (swap_store, "swap(&x, 0, 1); STORE(x, i + 3);", [(2, 2, 6), (3, 3, 66), (4, 4, 1200)]),
    "synthetic/readers": (readers, "if (i == n) STORE(x, 42); else LOAD(x);", [(2, 3, 4), (8, 9, 256), (13, 14, 8192)]),
    "synthetic/N-writers": (writers, "if (i == n) LOAD(x); else STORE(x, i);", [(5, 6, 720)]),
    "synthetic/lastzero": (last_zero, "if (i > 0) STORE(cells[i], LOAD(cells[i - 1]) + 1);"
                           " else for (int k = n; LOAD(cells[k]) != 0; k--);", [(5, 6, 64), (10, 11, 3328)]),
    "synthetic/indexer": (None, "for (int k = 0; k < 4; k++) { int m = k * 11 + i, h = m * 7 % 128;"
                          " while (!swap(&cells[h], 0, m)) h = (h + 1) % 128; }", [(12, 12, 8), (15, 15, 4096)]),
    "synthetic/CoA": (coherence_chain, "if (i == 0) { STORE(x, 1); LOAD(y); LOAD(x); } else if (i == 1) { STORE(x, 2); LOAD(z); LOAD(x); }"
                      " else { STORE(y, i); STORE(z, i); }", [(1, 3, 15), (2, 4, 130), (3, 5, 2028)]),
    "synthetic/fib_bench": (None, "atomic_int *v[] = {&one, &another}; if (i < 2) for (int k = 0; k < n; k++)"
                            " { int p = LOAD(one), q = LOAD(another); STORE(*v[i], p + q); } else if (LOAD(one) <= 144) LOAD(another);",
                            [(5, 3, 218243)]),
    "synthetic/peterson-sc": (peterson, "STORE(cells[i], 1); STORE(y, !i); while (LOAD(cells[!i]) == 1 && LOAD(y) == !i); STORE(x, i); LOAD(x);"
                              " STORE(cells[i], 0);", [(0, 2, 4)]),
    "data-structures/ticketlock": (ticket_lock, "int t = ADD(y); while (LOAD(z) != t); STORE(x, i); LOAD(x); STORE(z, LOAD(z) + 1);",
                                   [(2, 2, 2)]),
}
LARGEST_MODEL, LARGEST = tier.by_tier(100, 300, 2_100), tier.by_tier(1_000, 2_100, 1_000_000)  # classes


def next_operation(body, i, n, results):
    """What thread I does after it got these RESULTS; None: it has ended."""
    run = body(i, n)
    try:
        operation = next(run)
        for result in results:
            operation = run.send(result)
    except StopIteration:
        return None
    return operation


def after(memory, operation, event):
    """(result, memory): a variable is its value, and blocks of a write and the reads that see it, in order."""
    kind, variable = operation[:2]
    value, blocks = memory.get(variable, (0, (("start", frozenset()),)))
    new = {"store": lambda: operation[2], "add": lambda: value + 1,
           "swap": lambda: operation[3] if value == operation[2] else None}.get(kind, lambda: None)()
    if new is None:
        blocks = (*blocks[:-1], (blocks[-1][0], blocks[-1][1] | {event}))
    else:
        blocks = (*blocks, (event, frozenset()))
    result = value if kind in ("load", "add") else new is not None
    return result, {**memory, variable: (value if new is None else new, blocks)}


def count_classes(body, n, threads):
    """Classes of the model: all prefixes of the same length, each class of them once."""
    level, ended = {(((),) * threads, frozenset()): {}}, 0
    while level:
        following = {}
        for (results, _), memory in level.items():
            operations = [next_operation(body, i, n, results[i]) for i in range(threads)]
            ended += all(operation is None for operation in operations)
            for i, operation in enumerate(operations):
                if operation is None or operation == BLOCKED:
                    continue
                result, changed = after(memory, operation, (i, len(results[i])))
                done = (*results[:i], (*results[i], result), *results[i + 1:])
                following[done, frozenset(changed.items())] = changed
        level = following
    return ended


def check_family(bench, family, body, code, size, threads, number):
    if body is not None and number <= LARGEST_MODEL:
        derived = count_classes(body, size, threads)
        if derived != number:
            fail(f"the model of {family}({size})", expected=number, actual=derived)
    name = f"{family.replace('/', '-').replace('+', '')}-{size}"
    text = SOURCE.replace("COUNT", str(size)).replace("THREADS", str(threads)).replace("CODE", code)
    binary = bench.build(name, text, ["-O2", "-w"])
    result = bench.explore(["-s", "dpor", "--no-shrink"], binary)
    if not result["complete"] or result["classes"] != number or result["claim"]["kind"] != "all-classes":
        fail(f"{family}({size})", expected=f"{number} classes", actual=f"{result['classes']}: {result['claim']['text']}")
    if "while" not in code and result["executions"] != number:  # what a loop shows first may restart the search
        fail(f"{family}({size}) has one execution for each class", expected=number, actual=result["executions"])


def check(bench):
    cases = [(family, body, code, *case) for family, (body, code, cases) in FAMILIES.items() for case in cases if case[-1] <= LARGEST]
    for case in cases:
        check_family(bench, *case)
    print(f"ok   {len(cases)} published numbers of classes")


bench_run(check)
