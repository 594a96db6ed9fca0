"""Counts the executions of programs with timed waits by the rules of docs/COUNTING.md, from their text alone.

A thread is a generator: it yields pairs of what must hold for its next step to be possible, and what the step
does, which may hand something back. All orders are run through from the start. Nothing here knows the tool."""


class Lock:
    def __init__(self):
        self.writer, self.readers = None, 0

    def free(self):
        return self.writer is None and self.readers == 0


class World:
    def __init__(self):
        self.threads, self.over, self.ended = [], False, set()
        self.gives_way = {}  # to those who have not had a step since

    def start(self, thread):
        """It runs up to its first step as part of the step that creates it."""
        self.threads.append([thread, None])
        self.go_on(len(self.threads) - 1, None)

    def go_on(self, number, answer):
        row = self.threads[number]
        try:
            row[1] = row[0].send(answer)
        except StopIteration:
            self.ended.add(number)
            row[1] = None

    def can_run(self):
        able = {number for number, row in enumerate(self.threads) if row[1] and row[1][0]()}
        return [number for number in sorted(able)
                if not self.gives_way.get(number, set()) & (able - {number})]

    def step(self, number):
        for others in self.gives_way.values():
            others.discard(number)
        self.gives_way.pop(number, None)
        self.go_on(number, self.threads[number][1][1]())

    def give_way(self, number):
        self.gives_way[number] = set(range(len(self.threads))) - {number}


def always():
    return True


def take(lock, me):
    def step():
        lock.writer = me
        return True
    return lock.free, step


def try_take(lock, me):
    """A timed lock or a try-lock: always possible; it fails if somebody has the lock."""
    def step():
        if not lock.free():
            return False
        lock.writer = me
        return True
    return always, step


def try_share(lock):
    def step():
        if lock.writer is not None:
            return False
        lock.readers += 1
        return True
    return always, step


def share(lock):
    def step():
        lock.readers += 1
    return (lambda: lock.writer is None), step


def give(lock):
    def step():
        if lock.writer is not None:
            lock.writer = None
        else:
            lock.readers -= 1
    return always, step


def create(world, thread):
    return always, lambda: world.start(thread)


def join(world, number):
    return (lambda: number in world.ended), (lambda: None)


def leave(world):
    def step():
        world.over = True
    return always, step


class Cond:
    def __init__(self):
        self.asleep, self.told = set(), set()

    def wait(self, lock, me):
        """Steps of a timed wait: release; then the mutex again, told or by the timeout, which is a step of its
        own while somebody has the mutex. The answer: was it told?"""
        def sleep():
            lock.writer = None
            self.asleep.add(me)

        def wake():
            if lock.free():
                lock.writer = me
            self.asleep.discard(me)
            return me in self.told, lock.writer == me
        yield always, sleep
        told, has = yield (lambda: lock.free() if me in self.told else True), wake
        if not has:
            yield take(lock, me)
        self.told.discard(me)
        return told

    def tell_all(self):
        def step():
            self.told |= self.asleep
        return always, step


def count(program):
    """The number of executions; a deadlock is one."""
    total, prefixes = 0, [[]]
    while prefixes:
        prefix = prefixes.pop()
        world = World()
        world.start(program(world))
        for depth in range(10 ** 6):
            ready = [] if world.over else world.can_run()
            if not ready:
                total += 1
                break
            if depth == len(prefix):
                prefixes += [prefix + [other] for other in ready[1:]]
                prefix = prefix + [ready[0]]
            world.step(prefix[depth])
    return total


def two_locks(threads):
    """T threads lock and unlock once; main creates and joins them: known from the design."""
    def program(world):
        lock = Lock()

        def worker(me):
            yield take(lock, me)
            yield give(lock)
        for me in range(1, threads + 1):
            yield create(world, worker(me))
        for me in range(1, threads + 1):
            yield join(world, me)
        yield leave(world)
    return program


def timed_mutex(world):
    """timed_mutex.cpp"""
    deep, mutex = Lock(), Lock()
    deep.writer = 0

    def worker():
        yield try_take(deep, 1)
        yield try_take(deep, 1)
        for _ in range(2):
            if (yield try_take(mutex, 1)):
                yield give(mutex)
    yield create(world, worker())
    yield take(mutex, 0)
    yield give(mutex)
    yield join(world, 1)
    yield leave(world)


def wait_for(world):
    """wait_for.cpp"""
    mutex, cond, ready = Lock(), Cond(), []

    def worker(me):
        yield take(mutex, me)
        while not ready:
            if not (yield from cond.wait(mutex, me)):
                break
        yield give(mutex)
    yield create(world, worker(1))
    yield create(world, worker(2))
    yield take(mutex, 0)
    ready.append(True)
    yield give(mutex)
    yield cond.tell_all()
    yield join(world, 1)
    yield join(world, 2)
    yield leave(world)


def shared_mutex(reader_takes, writer_takes):
    """shared_mutex.cpp: a reader and a writer, timed or not"""
    def program(world):
        lock = Lock()

        def reader():
            if (yield reader_takes(lock)) is not False:
                yield give(lock)

        def writer():
            if (yield writer_takes(lock, 2)):
                yield give(lock)
        yield create(world, reader())
        yield create(world, writer())
        yield join(world, 1)
        yield join(world, 2)
        yield leave(world)
    return program


def future(world):
    """cxx_future.cpp, wait_for: the setter enters a once and leaves it, exchanges the status and wakes, if the
    waiter's bit was set; main loads twice, sets its bit, and waits on a futex, before it loads again. A thread that times
    out at a futex gives way."""
    word, asleep, told = {"ready": False, "bit": False}, [], []

    def just():
        return always, lambda: None

    def load():
        return always, lambda: word["ready"]

    def exchange():
        def step():
            had = word["bit"]
            word.update(ready=True, bit=False)
            return had
        return always, step

    def setter():
        yield just()
        yield just()
        if (yield exchange()):
            yield always, lambda: told.extend(asleep)

    yield create(world, setter())
    if not (yield load()) and not (yield load()):
        while True:
            yield always, lambda: word.update(bit=True)
            matches = lambda: asleep.append(0) or True if not word["ready"] else False  # noqa: E731
            late = False
            if (yield always, matches):
                late = yield always, lambda: not told
                if late:
                    world.give_way(0)
            if (yield load()) or late:
                break
    yield join(world, 1)
    yield leave(world)


COUNTS = {
    "cxx_future wait_for": future,
    "timed_mutex": timed_mutex, "wait_for": wait_for,
    "shared_mutex writer": shared_mutex(share, take),
    "shared_mutex timed": shared_mutex(try_share, try_take),
}

if __name__ == "__main__":
    assert count(two_locks(2)) == 10 and count(two_locks(3)) == 184
    for name, program in COUNTS.items():
        print(name, count(program))
