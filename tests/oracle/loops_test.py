#!/usr/bin/env python3
"""Random C programs with loops that wait for one or two atomics, against a search of all states: same ends.

One or two threads write increasing values, one or two others wait in a loop whose body may set a flag, count iterations,
fold what it reads into a value, change a local variable through a pointer, or keep the value that was read last; what it
leaves behind is part of the end in some programs and unused in others. Some loops give up after three iterations, and some
lie in a function of their own, whose caller keeps a value. The reference is a breadth-first search of the states of a model
of each program, which has no notion of a futile iteration. No search may miss an end, or show one that the model does not
reach. Where the body leaves nothing behind that matters, dpor finds one class for each way in which the loops can end, which
the model counts, too: values in registers and stack slots that nobody reads any more make no further class. Each program is
built by one compiler at one level. `make test` compares 60 programs, `make test-all` 6,000. `--first N --count N` compares
a part."""
import argparse
import collections
import os
import pathlib
import random
import re
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
    "bounded": ([0], "(a = x[0]) < K && tries++ < 3", None),
}
TRIES = 3
# A body: its text, what it makes of (flag, count, last, fold), and what the thread returns.
BODIES = {
    "temporaries": ("long t = a * 7L + 1; int u = twice(a); (void)t; (void)u;", lambda kept, seen: kept, "0", lambda kept: 0),
    "nothing": (";", lambda kept, seen: kept, "0", lambda kept: 0),
    "unused flag": ("flag = 0;", lambda kept, seen: (0, *kept[1:]), "0", lambda kept: 0),
    "flag": ("flag = 0;", lambda kept, seen: (0, *kept[1:]), "flag", lambda kept: kept[0]),
    "count": ("if (count < 2) count++;", lambda kept, seen: counted(kept), "count", lambda kept: kept[1]),
    "pointer": ("raise_to_two(&count);", lambda kept, seen: counted(kept), "count", lambda kept: kept[1]),
    "array": ("marks[a & 1] = 1;", lambda kept, seen: (*kept[:3], kept[3] | 1 << (seen[0] & 1)), "marks[0] + 2 * marks[1]", lambda kept: kept[3]),
    "fold": ("fold = (fold * 3 + a + 1) & 3;", lambda kept, seen: (*kept[:3], (kept[3] * 3 + seen[0] + 1) & 3), "fold", lambda kept: kept[3]),
    "parity": ("fold = !fold;", lambda kept, seen: (*kept[:3], 1 - kept[3]), "fold", lambda kept: kept[3]),
    "last": ("last = a;", lambda kept, seen: (*kept[:2], seen[0], kept[3]), "last", lambda kept: kept[2]),
    "unused last": ("last = a;", lambda kept, seen: (*kept[:2], seen[0], kept[3]), "0", lambda kept: 0),
    "flag and last": ("flag = 0; last = a;", lambda kept, seen: (0, kept[1], seen[0], kept[3]), "flag + 2 * last", lambda kept: kept[0] + 2 * kept[2]),
}


def counted(kept):
    return kept[0], min(kept[1] + 1, 2), *kept[2:]


HELPERS = """
static __attribute__((noinline)) int twice(int value) { int t = value * 2; return t; }
static __attribute__((noinline)) void raise_to_two(int *count) { if (*count < 2) ++*count; }
"""
START = (1, 0, 0, 0)
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
            bodies = [name for name in BODIES if condition != "plain sum" or not {"last", "a"} & set(re.findall(r"\w+", BODIES[name][0]))]
            self.waiting.append((condition, rng.choice(bodies)))
        self.apart = rng.random() < 0.4  # the loops lie in functions of their own
        self.keeps = self.apart and waiting == 1 and rng.random() < 0.5  # a value that was read before

    def goes_on(self, condition, seen, tries=0):
        k = self.last[0] if condition == "one" else sum(self.last)
        if condition == "either":
            return True if seen[0] < self.last[0] else None if len(seen) < 2 else seen[1] < self.last[1]
        if condition == "bounded":
            return seen[0] < self.last[0] and tries < TRIES
        return CONDITIONS[condition][2](seen, k, self.last[1])

    def is_still(self):
        """No loop leaves anything behind that matters."""
        return not self.keeps and all(BODIES[body][2] == "0" and condition != "bounded" for condition, body in self.waiting)

    def text(self, number):
        lines = [f"/* {number}: {self.title} */"]
        for index, stores in enumerate(self.writers):
            lines += [f"static void *program{number}_writer{index}(void *unused)", "{"]
            lines += [f"    x[{variable}] = {value};" for variable, value in stores] + ["    return unused;", "}"]
        for index, (condition, body) in enumerate(self.waiting):
            k = self.last[0] if condition in ("one", "bounded") else sum(self.last)
            test = CONDITIONS[condition][1].replace("K", str(k)).replace("J", str(self.last[0])).replace("L", str(self.last[1]))
            name = f"program{number}_{'loop' if self.apart else 'waits'}{index}"
            lines += [f"static {'__attribute__((noinline)) ' if self.apart else ''}void *{name}(void *unused)", "{",
                      "    int flag = 1, count = 0, last = 0, fold = 0, tries = 0, a = 0, b = 0;",
                      *(["    int marks[2] = {0, 0};"] if body == "array" else []),
                      f"    while ({test})", f"        {{{BODIES[body][0]}}}", f"    return (void *)(long)({BODIES[body][2]});", "}"]
            if self.apart:
                lines += [f"static void *program{number}_waits{index}(void *unused)", "{", f"    long before = {'x[0]' if self.keeps else '0'};",
                          f"    long got = (long){name}(unused);", f"    return (void *)(got + {BASE} * before);", "}"]
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
        kept, seen, before, tries = at
        condition, body = self.waiting[index]
        if before is None:
            return kept, seen, memory[0], tries
        seen = (*seen, memory[CONDITIONS[condition][0][len(seen)]])
        goes_on = self.goes_on(condition, seen, tries)
        if goes_on is None:
            return kept, seen, before, tries
        if not goes_on:
            return BODIES[body][3](kept) + BASE * before
        return BODIES[body][1](kept, seen), (), before, tries + (condition == "bounded")

    def ends(self):
        """Lines of outcome.c that the program can come to."""
        start = ((0, 0), (0,) * len(self.writers), ((START, (), None if self.keeps else 0, 0),) * len(self.waiting))
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
    return (rows.HEAD + HELPERS + body + f"\nstatic void (*const programs[])(void) = {{{table}}};\n"
            "int main(int count, char **arguments)\n{\n    programs[atoi(arguments[1])]();\n    return 0;\n}\n")


class Totals:
    def __init__(self):
        self.runs = self.unfinished = self.no_claim = self.ways = self.wrong = 0
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
    if shown == wanted and (ways == 0 or result["classes"] == ways):
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
            for number_of_search in range(EACH):
                strategy = "dpor" if number_of_search == 0 else STRATEGIES[turn % len(STRATEGIES)]
                compare(bohr, folder, f"loops-{start}", number, program, strategy, f"{compiler} {level}", totals)
                turn += number_of_search
    print(f"{count} programs, {totals.runs} searches, {totals.unfinished} not complete, {totals.no_claim} without a claim; dpor: "
          f"{totals.ways} ways in which loops can end, one class each")
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
