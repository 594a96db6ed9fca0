"""Counts the states of small programs, knowing nothing of the runtime.

A thread is a function step(place, shared) that lists what can follow as (place, shared) pairs; none: it has to wait. A
place stands for all that the thread knows: where it is and what its live variables hold. Before its own steps come those
of main, which creates the threads one after another, joins them in that order and exits. As in docs/COUNTING.md: a new
thread stands before its first step as soon as it is created, and is over with its last step (place END)."""

END = "end"


class Failure(Exception):
    """In place of a place: an assertion of the model fails."""


class Thread:
    def __init__(self, first, step):
        self.first, self.step = first, step


class Graph:
    """The states that can be reached: .states counts those in which a thread can take a step; .deadlocks and .final are
    sets of shared values, .failures one of texts, .livelocks the number of sets of states that lead to each other and
    in which every thread that can run in one of them takes a step."""

    def __init__(self, threads, shared):
        self.threads = threads
        self.deadlocks, self.failures, self.final = set(), set(), set()
        first = (0, (None,) * len(threads), shared)
        self.steps = {}
        todo = [first]
        while todo:
            state = todo.pop()
            if state in self.steps:
                continue
            self.steps[state] = list(self.follow(state))
            if not self.steps[state]:
                self.deadlocks.add(state[2])
            todo += [new for _, new in self.steps[state] if new is not None]
        self.states = sum(1 for steps in self.steps.values() if steps)
        self.livelocks = sum(self.is_fair(part) for part in self.parts())

    def follow(self, state):
        """(thread, the state then) for each step; the state is None where the program ends with it."""
        main, places, shared = state
        count = len(self.threads)
        if main < count:  # creates
            yield 0, (main + 1, places[:main] + (self.threads[main].first,) + places[main + 1:], shared)
        elif main < 2 * count:  # joins
            if places[main - count] == END:
                yield 0, (main + 1, places, shared)
        else:
            self.final.add(shared)
            yield 0, None
        for me, place in enumerate(places):
            if place is None or place == END:
                continue
            for place_then, shared_then in self.threads[me].step(place, shared):
                if place_then is Failure:
                    self.failures.add(shared_then)
                    yield me + 1, None
                else:
                    yield me + 1, (main, places[:me] + (place_then,) + places[me + 1:], shared_then)

    def parts(self):
        """Sets of states that lead to each other (Kosaraju)."""
        order, seen, back = [], set(), {}
        for state, steps in self.steps.items():
            for _, new in steps:
                back.setdefault(new, []).append(state)
            if state in seen:
                continue
            seen.add(state)
            stack = [(state, iter(self.steps[state]))]
            while stack:
                at, left = stack[-1]
                for _, new in left:
                    if new is not None and new not in seen:
                        seen.add(new)
                        stack.append((new, iter(self.steps[new])))
                        break
                else:
                    order.append(at)
                    stack.pop()
        taken = set()
        for state in reversed(order):
            if state in taken:
                continue
            part, todo = set(), [state]
            while todo:
                at = todo.pop()
                if at not in taken:
                    taken.add(at)
                    part.add(at)
                    todo += back.get(at, [])
            yield part

    def is_fair(self, part):
        able = {who for state in part for who, _ in self.steps[state]}
        took = {who for state in part for who, new in self.steps[state] if new in part}
        return bool(took) and able == took
