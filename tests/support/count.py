"""Counts the executions of small programs by the rules of docs/COUNTING.md, from their text alone.

A program is a list of threads, a thread a list of operations: ("create", t), ("join", t),
("lock", m), ("unlock", m), ("atomic",), ("exit",). Thread 0 is main. Nothing here knows the tool:
states are counted by dynamic programming, so it also counts what no search could run.
"""
from collections import Counter
from functools import lru_cache


def preemptions(last, thread, runnable):
    """What it costs to go on with this thread: was the last one interrupted?"""
    return int(last != thread and last in runnable)


def delays(last, thread, runnable):
    """What it costs to go on with this thread: how many are passed over on the way round to it?"""
    return sum(1 for other in runnable if (last <= other < thread) or
               (thread < last and (other >= last or other < thread)))


def count(threads, cost_of=preemptions, in_order=()):
    """The number of executions, by what their steps cost together, as a Counter. Of the threads that are listed
    none begins before the one listed before it."""
    before = dict(zip(in_order[1:], in_order))

    def enabled(state):
        positions, alive, held = state
        for thread, position in enumerate(positions):
            if not alive >> thread & 1 or position == len(threads[thread]):
                continue
            word, *object = threads[thread][position]
            if word == "lock" and held >> object[0] & 1:
                continue
            if word == "join" and positions[object[0]] < len(threads[object[0]]):
                continue
            if position == 0 and thread in before and positions[before[thread]] == 0:
                continue
            yield thread

    def after(state, thread):
        positions, alive, held = state
        word, *object = threads[thread][positions[thread]]
        positions = positions[:thread] + (positions[thread] + 1,) + positions[thread + 1:]
        if word == "create":
            alive |= 1 << object[0]
        elif word == "lock":
            held |= 1 << object[0]
        elif word == "unlock":
            held &= ~(1 << object[0])
        return positions, alive, held

    @lru_cache(None)
    def from_here(state, last):
        if state[0][0] == len(threads[0]):  # main has left: the program is over
            return Counter({0: 1})
        runnable = list(enabled(state))
        if not runnable:  # a deadlock is an execution too
            return Counter({0: 1})
        total = Counter()
        for thread in runnable:
            cost = cost_of(last, thread, runnable)
            for rest, executions in from_here(after(state, thread), thread).items():
                total[rest + cost] += executions
        return total

    return from_here(((0,) * len(threads), 1, 0), 0)


def family(thread_count, operations):
    """main creates that many threads, each does the operations, main joins them and leaves."""
    numbers = range(1, thread_count + 1)
    main = [("create", n) for n in numbers] + [("join", n) for n in numbers] + [("exit",)]
    return [main] + [list(operations) for _ in numbers]


def locks(thread_count, repeats):
    return family(thread_count, [("lock", 0), ("unlock", 0)] * repeats)


def atomics(thread_count, repeats):
    return family(thread_count, [("atomic",)] * repeats)
