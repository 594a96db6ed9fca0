"""Counts the executions of tests/programs/cxx_stop_callback.cpp from the text of libstdc++ alone.

Main goes through the steps below, and then joins the worker, which loops: it looks at the word of the stop state, and
yields unless it was asked to stop; if it was, it gives back its reference and ends. Who yields lets main have a step.
A look that comes back waits until the word has been written since the last one (docs/COUNTING.md, rule 9).
"""
from functools import lru_cache

STEPS = [
    "count up",                                  # the token of the callback
    "look", "lock", "unlock",                    # the callback is registered
    "look", "lock and ask", "unlock",            # request_stop
    "callback is done", "wake",                  # after it was called
    "look",                                      # the second request_stop: it is too late
    "look", "lock", "unlock",                    # the callback is removed
    "count down",                                # its token
    "look",                                      # the jthread's destructor asks without success
]
WRITES = ("lock", "unlock", "lock and ask")
ASKS = STEPS.index("lock and ask")


@lru_cache(None)
def count(done=0, worker="look", written=True, gave_way=False):
    """`written`: the word, since the worker last looked at it."""
    if worker == "end":
        return 1
    main_can = done < len(STEPS)
    total = 0
    if main_can:
        total += count(done + 1, worker, written or STEPS[done] in WRITES)
    if (gave_way and main_can) or (worker == "look" and not written):
        return total
    asked = done > ASKS
    if worker == "look":
        return total + count(done, "give back" if asked else "yield", asked)
    if worker == "yield":
        return total + count(done, "look", written, True)
    return total + count(done, "end")


if __name__ == "__main__":
    print(count())
