"""Counts the executions of tests/programs/cxx_latch.cpp from the text of libstdc++ alone.

Each of two threads subtracts one. The last looks whether somebody is in the pool of waiters and wakes
them if so. Then both enter the pool, look for the value, test up to 16 times for zero, from the 13th
time on with a yield after it, go to sleep, and leave the pool when they have seen zero.
"""
from functools import lru_cache

SPINS, SPINS_WITHOUT_YIELD = 16, 12


def after(pc, tries, left, waiters):
    """What one step of a thread leads to: its next step, tries, and the two shared values."""
    if pc == "subtract":
        left -= 1
        pc = "look for waiters" if left == 0 else "enter"
    elif pc == "look for waiters":
        pc = "wake" if waiters > 0 else "enter"
    elif pc == "wake":
        pc = "enter"
    elif pc == "enter":
        pc, waiters = "look", waiters + 1
    elif pc == "look":
        pc, tries = "test", 0
    elif pc == "test":
        tries += 1
        pc = "leave" if left == 0 else "test" if tries <= SPINS_WITHOUT_YIELD else "yield"
    elif pc == "yield":
        pc = "test" if tries < SPINS else "sleep"
    elif pc == "sleep":
        pc = "asleep" if left == 1 else "test again"
    elif pc == "asleep":
        pc = "test again"
    elif pc == "test again":
        pc = "leave" if left == 0 else "look"
    elif pc == "leave":
        pc, waiters = "end", waiters - 1
    return pc, tries, left, waiters


@lru_cache(None)
def count(threads=(("subtract", 0), ("subtract", 0)), left=2, waiters=0, woken=False, gave_way=None):
    able = [me for me in (0, 1) if threads[me][0] != "end" and
            (threads[me][0] != "asleep" or woken)]
    if not able:
        assert all(pc == "end" for pc, _ in threads), "somebody sleeps forever"
        return 1
    total = 0
    for me in able:
        if me == gave_way and 1 - me in able:
            continue
        pc, tries = threads[me]
        *state, new_left, new_waiters = after(pc, tries, left, waiters)
        other = threads[1 - me]
        total += count((tuple(state), other) if me == 0 else (other, tuple(state)), new_left,
                       new_waiters, woken or (pc == "wake" and other[0] == "asleep"),
                       me if pc == "yield" else None)
    return total


if __name__ == "__main__":
    print(count())
