"""Counts the executions of threads that look at a flag under a lock until it is set, by the rules of
docs/COUNTING.md: nothing here knows the tool.

main creates so many pollers, sets the flag under the lock, joins them and leaves. A poller takes the lock,
looks, gives it back, and starts again if the flag was not set. Its first turn is followed by a second one;
whenever it has come back after that, and nobody else took a step during the turn, it gives way: all others
that can run come first.
"""
from functools import lru_cache

MAIN, NOBODY = -1, -2


def count(pollers):
    # main's operations: create each, lock, unlock, join each, leave
    lock, unlock, join, leave = pollers, pollers + 1, pollers + 2, 2 * pollers + 2

    def enabled(at, owner, threads):
        able = {t for t, thread in enumerate(threads)
                if t < at and thread is not None and (thread[0] == "holds" or owner == NOBODY)}
        joins = join <= at < leave
        if joins and threads[at - join] is None or not joins and not (at == lock and owner != NOBODY):
            able.add(MAIN)
        return able

    def others_saw(threads, who):
        """The thread inside is not alone there; threads that have given way to it wait for it no more."""
        return tuple(thread if thread is None or t == who
                     else (thread[0], thread[1], thread[2], False, thread[4] - {who})
                     for t, thread in enumerate(threads))

    @lru_cache(None)
    def from_here(at, owner, is_set, threads):
        able = enabled(at, owner, threads)
        total = 0
        for who in able:
            if who != MAIN and threads[who][4] & able:
                continue
            after = list(others_saw(threads, who))
            if who == MAIN and at == leave:
                total += 1
            elif who == MAIN:
                total += from_here(at + 1,
                                   MAIN if at == lock else NOBODY if at == unlock else owner,
                                   is_set or at == lock, tuple(after))
            elif threads[who][0] == "waits":
                _, _, turns, _, _ = threads[who]
                after[who] = ("holds", is_set, turns, True, frozenset())
                total += from_here(at, who, is_set, tuple(after))
            else:
                _, seen, turns, alone, _ = threads[who]
                turns = min(turns + 1, 2)
                gives_way = turns == 2 and alone
                live = {MAIN} | {t for t, thread in enumerate(threads)
                                 if t < at and thread is not None and t != who}
                after[who] = None if seen else ("waits", False, turns, False,
                                                frozenset(live if gives_way else ()))
                total += from_here(at, NOBODY, is_set, tuple(after))
        return total

    return from_here(0, NOBODY, False, (("waits", False, 0, False, frozenset()),) * pollers)
