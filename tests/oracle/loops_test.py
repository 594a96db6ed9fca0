#!/usr/bin/env python3
"""Random C programs with loops that wait for one or two atomics, against a search of all states: same ends.

One or two threads write increasing values, one or two others wait in a loop whose body may set a flag, count iterations,
or keep the value that was read last; what it leaves behind is part of the end in some programs and unused in others. The
reference is a breadth-first search of the states of a model of each program, which has no notion of a futile iteration.
No search may miss an end, or show one that the model does not reach. Where the body leaves nothing behind that matters,
dpor finds at least one class for each way in which the loops can end, which the model counts, too; the last line
says how many more there are (registers and stack slots that nobody reads any more). `make test` compares 60 programs,
`make test-all` 6,000. `--first N --count N` compares a part."""
import argparse
import collections
import os
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import oracle  # noqa: E402
import rows  # noqa: E402
import tier  # noqa: E402

SEED, IN_FILE, EACH, LONG = 7, 60, 2, 6_000
STRATEGIES = [name for name in oracle.STRATEGIES if name != "exitblock"]
ENDS = {"dpor", "dpor -j 2"}  # these searches end, and claim all classes
ENDS_FIRST = 1000  # outcome.c: the line of state 0

# A condition of a loop: its variables in the order in which it reads them, its text, and whether to go on waiting; None: it
# has to read more. K is the sum of the last values, L the last value of the second variable.
CONDITIONS = {
    "one": ([0], "(a = x[0]) < K", lambda seen, k, l: seen[0] < k),
    "sum": ([0, 1], "(a = x[0], b = x[1], a + b < K)", lambda seen, k, l: None if len(seen) < 2 else sum(seen) < k),
    "plain sum": ([0, 1], "x[0] + x[1] < K", lambda seen, k, l: None if len(seen) < 2 else sum(seen) < k),
    "either": ([0, 1], "(a = x[0]) < J || (b = x[1]) < L", None),
}
# A body: its text, what it makes of (flag, count, last), and what the thread returns.
BODIES = {
    "nothing": (";", lambda kept, seen: kept, "0", lambda kept: 0),
    "unused flag": ("flag = 0;", lambda kept, seen: (0, *kept[1:]), "0", lambda kept: 0),
    "flag": ("flag = 0;", lambda kept, seen: (0, *kept[1:]), "flag", lambda kept: kept[0]),
    "count": ("if (count < 2) count++;", lambda kept, seen: (kept[0], min(kept[1] + 1, 2), kept[2]), "count", lambda kept: kept[1]),
    "last": ("last = a;", lambda kept, seen: (*kept[:2], seen[0]), "last", lambda kept: kept[2]),
    "unused last": ("last = a;", lambda kept, seen: (*kept[:2], seen[0]), "0", lambda kept: 0),
    "flag and last": ("flag = 0; last = a;", lambda kept, seen: (0, kept[1], seen[0]), "flag + 2 * last", lambda kept: kept[0] + 2 * kept[2]),
}
START = (1, 0, 0)
LONG_SECONDS = "1h"  # a limit for a search that hangs
SECONDS = "3s"  # plain searches of two waiting threads take far longer: they only must not show too much
BASE = 5  # of what two waiting threads return


class Program:
    """Writers as lists of (variable, value), waiting threads as (condition, body)."""

    def __init__(self, number):
        rng = random.Random(f"{SEED} {number}")
        self.title = f"loops {number}"
        values = [rng.randint(1, 2), rng.randint(0, 1)]
        self.last = values
        stores = [(0, value + 1) for value in range(values[0])], [(1, value + 1) for value in range(values[1])]
        if rng.random() < 0.25:
            self.writers = [sorted([*stores[0], *stores[1]], key=lambda store: (store[1], rng.random()))]
        else:
            self.writers = [store for store in stores if store]
        waiting = 2 if len(self.writers) == 1 and rng.random() < 0.5 else 1
        self.waiting = []
        for _ in range(waiting):
            condition = rng.choice(list(CONDITIONS) if values[1] else ["one"])
            bodies = [name for name in BODIES if condition != "plain sum" or "last" not in name]
            self.waiting.append((condition, rng.choice(bodies)))

    def goes_on(self, condition, seen):
        k = self.last[0] if condition == "one" else sum(self.last)
        if condition == "either":
            return True if seen[0] < self.last[0] else None if len(seen) < 2 else seen[1] < self.last[1]
        return CONDITIONS[condition][2](seen, k, self.last[1])

    def is_still(self):
        """No loop leaves anything behind that matters."""
        return all(BODIES[body][2] == "0" for _, body in self.waiting)

    def text(self, number):
        lines = [f"/* {number}: {self.title} */"]
        for index, stores in enumerate(self.writers):
            lines += [f"static void *program{number}_writer{index}(void *unused)", "{"]
            lines += [f"    x[{variable}] = {value};" for variable, value in stores] + ["    return unused;", "}"]
        for index, (condition, body) in enumerate(self.waiting):
            k = self.last[0] if condition == "one" else sum(self.last)
            test = CONDITIONS[condition][1].replace("K", str(k)).replace("J", str(self.last[0])).replace("L", str(self.last[1]))
            lines += [f"static void *program{number}_waits{index}(void *unused)", "{", "    int flag = 1, count = 0, last = 0, a = 0, b = 0;",
                      f"    while ({test})", f"        {{{BODIES[body][0]}}}", f"    return (void *)(long)({BODIES[body][2]});", "}"]
        names = [f"writer{index}" for index in range(len(self.writers))]
        names = [f"waits{index}" for index in range(len(self.waiting))] + names
        lines += [f"static void program{number}(void)", "{", f"    pthread_t t[{len(names)}];", f"    void *got[{len(names)}];"]
        lines += [f"    pthread_create(&t[{index}], NULL, program{number}_{name}, NULL);" for index, name in enumerate(names)]
        lines += [f"    pthread_join(t[{index}], &got[{index}]);" for index in range(len(names))]
        value = " + ".join(f"{BASE ** index} * (long)got[{index}]" for index in range(len(self.waiting)))
        lines += [f"    outcome((unsigned)(1 + {value}));", "}"]
        return "\n".join(lines)

    def waits(self, index, at, memory):
        """The state of a waiting thread after its next read; an int: what it returns."""
        kept, seen = at
        condition, body = self.waiting[index]
        seen = (*seen, memory[CONDITIONS[condition][0][len(seen)]])
        goes_on = self.goes_on(condition, seen)
        if goes_on is None:
            return kept, seen
        return (BODIES[body][1](kept, seen), ()) if goes_on else BODIES[body][3](kept)

    def ends(self):
        """Lines of outcome.c that the program can come to."""
        start = ((0, 0), (0,) * len(self.writers), ((START, ()),) * len(self.waiting))
        known, todo, found = {start}, [start], set()
        while todo:
            memory, places, waiting = todo.pop()
            if all(isinstance(at, int) for at in waiting):
                found.add(ENDS_FIRST + (1 + sum(BASE ** index * at for index, at in enumerate(waiting))) % 32)
            following = []
            for index, place in enumerate(places):
                if place < len(self.writers[index]):
                    variable, value = self.writers[index][place]
                    changed = tuple(value if each == variable else old for each, old in enumerate(memory))
                    following.append((changed, (*places[:index], place + 1, *places[index + 1:]), waiting))
            for index, at in enumerate(waiting):
                if not isinstance(at, int):
                    new = self.waits(index, at, memory)
                    following.append((memory, places, (*waiting[:index], new, *waiting[index + 1:])))
            for state in following:
                if state not in known:
                    known.add(state)
                    todo.append(state)
        return found

    def ways(self):
        """Classes if each loop is only its last iteration: which writes each of its reads sees, and in which order."""
        start = (((0, ()), (0, ())), (0,) * len(self.writers), ((),) * len(self.waiting))
        level, found = {start}, set()
        while level:
            following = set()
            for memory, places, waiting in level:
                if all(self.has_ended(index, seen) for index, seen in enumerate(waiting)) and all(
                        place == len(stores) for place, stores in zip(places, self.writers)):
                    found.add((memory, waiting))
                for index, place in enumerate(places):
                    if place < len(self.writers[index]):
                        variable, value = self.writers[index][place]
                        changed = tuple((value, (*order, (value, ()))) if each == variable else (old, order)
                                        for each, (old, order) in enumerate(memory))
                        following.add((changed, (*places[:index], place + 1, *places[index + 1:]), waiting))
                for index, seen in enumerate(waiting):
                    condition = self.waiting[index][0]
                    if not self.has_ended(index, seen) and not (seen and self.goes_on(condition, seen)):
                        value = memory[CONDITIONS[condition][0][len(seen)]][0]
                        following.add((memory, places, (*waiting[:index], (*seen, value), *waiting[index + 1:])))
            level = following
        return len(found)

    def has_ended(self, index, seen):
        return bool(seen) and self.goes_on(self.waiting[index][0], seen) is False


def file_of(programs):
    body = "\n\n".join(program.text(number) for number, program in enumerate(programs))
    table = ", ".join(f"program{number}" for number in range(len(programs)))
    return (rows.HEAD + body + f"\nstatic void (*const programs[])(void) = {{{table}}};\n"
            "int main(int count, char **arguments)\n{\n    programs[atoi(arguments[1])]();\n    return 0;\n}\n")


class Totals:
    def __init__(self):
        self.runs = self.unfinished = self.no_claim = self.ways = self.more = self.wrong = 0
        self.by_strategy = collections.Counter()


def compare(bohr, folder, name, number, program, strategy, build, totals):
    result, words = oracle.bohr_run(bohr, folder / name, number, [*oracle.STRATEGIES[strategy], "-t", LONG_SECONDS if strategy in ENDS else SECONDS], folder)
    totals.runs += 1
    totals.by_strategy[strategy] += 1
    wanted = {("assertion", line) for line in program.ends()}
    shown = oracle.bohr_outcomes(result)
    claims = result["complete"] and result["claim"]["kind"] != "nothing"
    totals.unfinished += not result["complete"]
    totals.no_claim += result["complete"] and not claims
    if strategy in ENDS and not claims:
        fail(program, number, strategy, build, words, f"no claim: {result['claim']['text']}", totals)
    if not claims and shown <= wanted:
        return
    ways = program.ways() if program.is_still() and strategy.startswith("dpor") else 0
    totals.ways += ways
    totals.more += result["classes"] - ways if ways else 0
    if shown == wanted and result["classes"] >= ways:
        return
    story = f"missing {wanted - shown}, surplus {shown - wanted}; {result['classes']} classes, {ways} ways"
    fail(program, number, strategy, build, words, story, totals)


def fail(program, number, strategy, build, words, story, totals):
    totals.wrong += 1
    print(f"FAIL {program.title}, {strategy}, {build}")
    print(f"     ends       {story}")
    print(f"     again      {' '.join(map(str, words))}")
    print("\n".join("     | " + line for line in program.text(number).splitlines()), flush=True)


def check(bohr, folder, first, count):
    builder, totals, turn = oracle.Builder(bohr, folder), Totals(), 0
    for start in range(first, first + count, IN_FILE // len(oracle.BUILDS)):
        size = min(IN_FILE // len(oracle.BUILDS), first + count - start)
        programs = [Program(number) for number in range(start, start + size)]
        compiler, level = oracle.BUILDS[start // (IN_FILE // len(oracle.BUILDS)) % len(oracle.BUILDS)]
        builder.build(f"loops-{start}", file_of(programs), compiler, level)
        for number, program in enumerate(programs):
            for _ in range(EACH):
                compare(bohr, folder, f"loops-{start}", number, program, STRATEGIES[turn % len(STRATEGIES)], f"{compiler} {level}", totals)
                turn += 1
    print(f"{count} programs, {totals.runs} searches, {totals.unfinished} not complete, {totals.no_claim} without a claim; dpor: "
          f"{totals.ways} ways in which loops can end, {totals.more} classes more")
    if totals.wrong:
        print(f"FAIL {totals.wrong} differences")
        sys.exit(1)
    print("ok   loops that wait show what a search of all states shows")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bohr", default="build/bin/bohr", type=pathlib.Path)
    numbers = tier.portion(range(LONG if tier.ALL else IN_FILE))
    parser.add_argument("--first", type=int, default=numbers.start)
    parser.add_argument("--count", type=int, default=len(numbers))
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    for name in ("BOHR_OPTIONS", "BOHR_CC", "BOHR_CXX"):
        os.environ.pop(name, None)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bohr-loops-"))
    try:
        check(arguments.bohr.resolve(), folder, arguments.first, arguments.count)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
