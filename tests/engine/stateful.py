#!/usr/bin/env python3
"""Algorithms with loops that wait, under `stateful`: the search ends, finds nothing in those that are right, and
counts as many states as a model of each in this script, which knows nothing of the tool; broken variants are refuted,
by the model as well."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, shown  # noqa: E402
from states import END, Failure, Graph, Thread  # noqa: E402

HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int inside;
"""
TAIL = """
static void *run(void *argument)
{
    int me = (int)(long)argument;
    lock(me);
    int before = atomic_fetch_add(&inside, 1);
    assert(before == 0);
    atomic_fetch_sub(&inside, 1);
    unlock(me);
    return NULL;
}
"""
MAIN = """
int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""

PETERSON = """
static atomic_int level[N], victim[N];
static void lock(int me)
{
    for (int l = 1; l < N; l++) {
#ifdef BROKEN
        atomic_store(&victim[l], me);
        atomic_store(&level[me], l);
#else
        atomic_store(&level[me], l);
        atomic_store(&victim[l], me);
#endif
        for (int k = 0; k < N; k++)
            while (k != me && atomic_load(&level[k]) >= l && atomic_load(&victim[l]) == me)
                ;
    }
}
static void unlock(int me) { atomic_store(&level[me], 0); }
"""

# Three threads: the winner of the first two against the third.
DEKKER = """
static atomic_int flag[2][2], turn[2];
static void enter(int node, int side)
{
    atomic_store(&flag[node][side], 1);
#ifdef BROKEN
    if (atomic_load(&flag[node][1 - side])) {
#else
    while (atomic_load(&flag[node][1 - side])) {
#endif
        if (atomic_load(&turn[node]) != side) {
            atomic_store(&flag[node][side], 0);
            while (atomic_load(&turn[node]) != side)
                ;
            atomic_store(&flag[node][side], 1);
        }
    }
}
static void leave(int node, int side)
{
    atomic_store(&turn[node], 1 - side);
    atomic_store(&flag[node][side], 0);
}
static void lock(int me)
{
    if (N == 3 && me < 2)
        enter(1, me);
    enter(0, N == 3 ? me == 2 : me);
}
static void unlock(int me)
{
    leave(0, N == 3 ? me == 2 : me);
    if (N == 3 && me < 2)
        leave(1, me);
}
"""

BAKERY = """
static atomic_int choosing[N], number[N];
int mine[N]; /* not static, or it would not be there: it is only written */
static void lock(int me)
{
#ifndef BROKEN
    atomic_store(&choosing[me], 1);
#endif
    int most = 0;
    for (int k = 0; k < N; k++) {
        int other = atomic_load(&number[k]);
        if (other > most)
            most = other;
    }
    int own = mine[me] = most + 1;
    atomic_store(&number[me], own);
#ifndef BROKEN
    atomic_store(&choosing[me], 0);
#endif
    for (int k = 0; k < N; k++) {
        if (k == me)
            continue;
#ifndef BROKEN
        while (atomic_load(&choosing[k]))
            ;
#endif
        for (;;) {
            int other = atomic_load(&number[k]);
            if (other == 0 || other > own || (other == own && k > me))
                break;
        }
    }
}
static void unlock(int me) { atomic_store(&number[me], 0); }
"""

TICKET = """
static atomic_int next, serving;
int mine[N]; /* not static, or it would not be there: it is only written */
static void lock(int me)
{
#ifdef BROKEN
    int own = mine[me] = atomic_load(&next);
    atomic_store(&next, own + 1);
#else
    int own = mine[me] = atomic_fetch_add(&next, 1);
#endif
    while (atomic_load(&serving) != own)
        ;
}
static void unlock(int me) { atomic_store(&serving, mine[me] + 1); }
"""

BARRIER = """
enum { ROUNDS = 2 };
static atomic_int left = N, sense, arrived;
static void *run(void *unused)
{
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_fetch_add(&arrived, 1);
        if (atomic_fetch_sub(&left, 1) == 1) {
#ifdef BROKEN
            atomic_store(&sense, round);
            atomic_store(&left, N);
#else
            atomic_store(&left, N);
            atomic_store(&sense, round);
#endif
        } else {
            while (atomic_load(&sense) != round)
                ;
        }
        int all = atomic_load(&arrived);
        assert(all >= N * round);
    }
    return unused;
}
"""


def put(shared, at, value):
    return shared[:at] + (value,) + shared[at + 1:]


def section(place, shared):
    """Only one may be inside, which is shared[0]."""
    if place == "exit":
        yield "unlock", put(shared, 0, shared[0] - 1)
    elif shared[0] != 0:
        yield Failure, "two are inside"
    else:
        yield "exit", put(shared, 0, 1)


def peterson(count, broken):
    """shared: inside, level of each, victim of each level"""
    def thread(me):
        def waits(l, k):  # what comes next, from k on
            while k == me:
                k += 1
            if k < count:
                return ("level", l, k)
            return ("first", l + 1) if l + 1 < count else "enter"

        def step(place, shared):
            if place in ("enter", "exit"):
                yield from section(place, shared)
            elif place == "unlock":
                yield END, put(shared, 1 + me, 0)
            elif place[0] in ("first", "second"):
                l = place[1]
                level = (place[0] == "first") != broken
                new = put(shared, 1 + me, l) if level else put(shared, 1 + count + l, me)
                yield (("second", l) if place[0] == "first" else waits(l, 0)), new
            elif place[0] == "level":
                _, l, k = place
                yield (("victim", l, k) if shared[1 + k] >= l else waits(l, k + 1)), shared
            else:
                _, l, k = place
                yield (("level", l, k) if shared[1 + count + l] == me else waits(l, k + 1)), shared
        return Thread(("first", 1), step)
    return [thread(me) for me in range(count)], (0,) * (1 + 2 * count)


def dekker(count, broken):
    """shared: inside, flags of two nodes, turns of both"""
    def flag(node, side):
        return 1 + 2 * node + side

    def thread(me):
        nodes = [(1, me), (0, 0)] if count == 3 and me < 2 else [(0, 1 if count == 3 else me)]

        def entered(n):
            return ("raise", n + 1) if n + 1 < len(nodes) else "enter"

        def step(place, shared):
            if place in ("enter", "exit"):
                yield from section(place, shared)
                return
            if place == "unlock":
                place = ("turn", len(nodes) - 1)
            what, n = place
            node, side = nodes[n]
            if what == "raise":
                yield ("look", n), put(shared, flag(node, side), 1)
            elif what == "look":
                yield (("mine", n) if shared[flag(node, 1 - side)] else entered(n)), shared
            elif what == "mine":
                again = entered(n) if broken else ("look", n)
                yield (again if shared[5 + node] == side else ("lower", n)), shared
            elif what == "lower":
                yield ("await", n), put(shared, flag(node, side), 0)
            elif what == "await":
                yield (("again", n) if shared[5 + node] == side else ("await", n)), shared
            elif what == "again":
                yield (entered(n) if broken else ("look", n)), put(shared, flag(node, side), 1)
            elif what == "turn":
                yield ("leave", n), put(shared, 5 + node, 1 - side)
            else:
                yield (("turn", n - 1) if n > 0 else END), put(shared, flag(node, side), 0)
        return Thread(("raise", 0), step)
    return [thread(me) for me in range(count)], (0,) * 7


def bakery(count, broken):
    """shared: inside, the threads that are choosing, numbers, and what each keeps as its own"""
    def thread(me):
        def others(k):
            while k == me:
                k += 1
            return k

        def asks(k):
            k = others(k)
            return "enter" if k >= count else (("number", k) if broken else ("choosing", k))

        def step(place, shared):
            if place in ("enter", "exit"):
                yield from section(place, shared)
            elif place == "unlock":
                yield END, put(shared, 1 + count + me, 0)
            elif place == "choose":
                yield ("most", 0, 0), put(shared, 1 + me, 1)
            elif place[0] == "most":
                _, k, most = place
                most = max(most, shared[1 + count + k])
                if k + 1 < count:
                    yield ("most", k + 1, most), shared
                else:
                    yield "take", put(shared, 1 + 2 * count + me, most + 1)
            elif place == "take":
                yield ("chosen" if not broken else asks(0)), put(shared, 1 + count + me, shared[1 + 2 * count + me])
            elif place == "chosen":
                yield asks(0), put(shared, 1 + me, 0)
            elif place[0] == "choosing":
                k = place[1]
                yield (("choosing", k) if shared[1 + k] else ("number", k)), shared
            else:
                k = place[1]
                mine, other = shared[1 + 2 * count + me], shared[1 + count + k]
                passes = other == 0 or (other, k) > (mine, me)
                yield (asks(k + 1) if passes else ("number", k)), shared
        return Thread(("most", 0, 0) if broken else "choose", step)
    return [thread(me) for me in range(count)], (0,) * (1 + 3 * count)


def ticket(count, broken):
    """shared: inside, next, serving, and what each has drawn"""
    def thread(me):
        def step(place, shared):
            mine = shared[3 + me]
            if place in ("enter", "exit"):
                yield from section(place, shared)
            elif place == "draw" and broken:
                yield "write", put(shared, 3 + me, shared[1])
            elif place == "draw":
                yield "await", put(put(shared, 3 + me, shared[1]), 1, shared[1] + 1)
            elif place == "write":
                yield "await", put(shared, 1, mine + 1)
            elif place == "await":
                yield ("enter" if shared[2] == mine else "await"), shared
            else:
                yield END, put(shared, 2, mine + 1)
        return Thread("draw", step)
    return [thread(me) for me in range(count)], (0,) * (3 + count)


def barrier(count, broken):
    """shared: arrived, left, sense"""
    rounds = 2

    def step(place, shared):
        what, n = place
        if what == "arrive":
            yield ("count", n), put(shared, 0, shared[0] + 1)
        elif what == "count":
            yield (("first", n) if shared[1] == 1 else ("await", n)), put(shared, 1, shared[1] - 1)
        elif what in ("first", "second"):
            resets = (what == "first") != broken
            yield (("second", n) if what == "first" else ("check", n)), put(
                shared, 1 if resets else 2, count if resets else n)
        elif what == "await":
            yield (("check", n) if shared[2] == n else ("await", n)), shared
        elif shared[0] < count * n:
            yield Failure, "one is ahead"
        else:
            yield (END if n == rounds else ("arrive", n + 1)), shared
    return [Thread(("arrive", 1), step) for _ in range(count)], (0, count, 0)


# name: (text of the program, model)
ALGORITHMS = {
    "peterson": (PETERSON + TAIL, peterson),
    "dekker": (DEKKER + TAIL, dekker),
    "bakery": (BAKERY + TAIL, bakery),
    "ticket": (TICKET + TAIL, ticket),
    "barrier": (BARRIER, barrier),
}


def check_right(bench, name, text, model, count):
    program = bench.build(f"{name}{count}", HEAD + text + MAIN, ["-O2", f"-DN={count}"])
    result = bench.explore(["-s", "stateful"], program, status=0)
    graph = Graph(*model(count, False))
    if graph.deadlocks or graph.failures or graph.livelocks:
        fail(f"{name} {count}: the model is wrong", deadlocks=graph.deadlocks, failures=graph.failures,
             livelocks=graph.livelocks)
    if result["claim"]["kind"] != "all-states" or not result["complete"] or result["states_not_compared"] != 0:
        fail(f"{name} {count} is not verified", claim=result["claim"]["text"],
             not_compared=result["states_not_compared"])
    if result["states"] != graph.states:
        fail(f"{name} {count}: states", expected=f"{graph.states}, as in the model", actual=result["states"],
             program=shown([program]))
    print(f"{name} {count}: {graph.states} states, {result['executions']} + {result['cut']} executions")


def check_broken(bench, name, text, model, count):
    program = bench.build(f"{name}{count}-broken", HEAD + text + MAIN, ["-O2", f"-DN={count}", "-DBROKEN"])
    graph = Graph(*model(count, True))
    wanted = {"assertion"} if graph.failures else set()
    wanted |= {"livelock"} if graph.livelocks else set()
    result = bench.explore(["-s", "stateful", "-k"], program, status=1)
    kinds = {finding["kind"] for finding in result["findings"]}
    if not wanted or kinds != wanted or not result["complete"]:
        fail(f"{name} {count}, broken", expected=wanted, actual=kinds, claim=result["claim"]["text"])
    print(f"{name} {count}, broken: {', '.join(sorted(kinds))}")


def check(bench):
    for name, (text, model) in ALGORITHMS.items():
        for count in (2, 3):
            check_right(bench, name, text, model, count)
            check_broken(bench, name, text, model, count)


bench_run(check)
