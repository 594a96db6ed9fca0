"""Runs files of programs under the oracle and under Bohr, and keeps what differs."""
import argparse
import collections
import os
import pathlib
import shutil
import sys
import tempfile

import oracle
import programs
import rows

SECONDS = "20s"
# Each execution of a program that forks is a process, some hundred in a second. Such programs with more interleavings than
# ALL_FORKS are searched with a reduction only, those with more than REDUCED_FORKS not at all.
FORKING, ALL_FORKS, REDUCED_FORKS = {"PROCESS", "PROCESS_WAIT", "PROCESS_END"}, 500, 1000


class Comparison:
    """All files of one test: their differences, and how often each row took part."""

    def __init__(self, bohr, folder, limit):
        self.bohr, self.folder, self.limit = bohr, folder, limit
        self.builder = oracle.Builder(bohr, folder)
        self.turn = 0
        self.programs = self.runs = self.interleavings = self.too_large = self.unfinished = self.surplus = self.refused = self.gives_way = 0
        self.taking_part = collections.Counter()
        self.by_strategy = collections.Counter()
        self.no_claim = collections.Counter()
        self.differences = []
        self.loose = rows.rows_with_scope("ALL")

    def file(self, name, wanted, compiler, level, each=None):
        """Compares WANTED, built so; EACH searches for each of them in rotation, or all if None."""
        self.builder.build(name, programs.file_of(wanted), compiler, level)
        plain, fair = oracle.enumerate_file(self.builder, name, len(wanted), self.limit)
        for number, program in enumerate(wanted):
            forks = fair.raw[number]["interleavings"] if program.names & FORKING else 0
            if plain.raw[number]["limit"] or fair.raw[number]["limit"] or forks > REDUCED_FORKS:
                self.too_large += 1
                continue
            self.programs += 1
            self.interleavings += plain.raw[number]["interleavings"]
            self.taking_part.update(program.names)
            possible = [strategy for strategy in oracle.STRATEGIES if forks <= ALL_FORKS or strategy not in oracle.ENUMERATING]
            turns = range(len(possible)) if each is None else range(self.turn, self.turn + each)
            self.turn += len(turns)
            for strategy in (possible[turn % len(possible)] for turn in turns):
                self.one(name, number, program, strategy, fair, plain, f"{compiler} {level}")

    def one(self, name, number, program, strategy, fair, most, build):
        """All that MOST shows must be seen, and nothing else. Where the claim says that each yield is followed by a step of
        every other thread, it need only be what FAIR shows. If then accesses are steps only where they race, some may be none
        that race only before that step: what must be seen is not known."""
        options = [*oracle.STRATEGIES[strategy], "-t", SECONDS]
        result, words = oracle.bohr_run(self.bohr, self.folder / name, number, options, self.folder)
        self.runs += 1
        self.by_strategy[strategy] += 1
        if "not modelled" in result["claim"]["text"]:  # fork while eventfds or sockets are open is refused
            self.refused += 1
            return
        if not result["complete"]:
            self.unfinished += 1
            print(f"note {program.title}, {strategy}, {build}: not complete: {result['claim']['text']}")
            surprises = {finding["message"] for finding in result["findings"] if finding["kind"] == "nondeterminism"}
            if surprises:
                self.differ(("nondeterminism", set(), surprises), number, program, strategy, build, words)
            return
        if result["claim"]["kind"] == "nothing":
            self.no_claim[strategy] += 1
            return
        gives_way = oracle.GIVES_WAY in result["claim"]["text"]
        least = fair if gives_way else most
        unknown = gives_way and strategy not in oracle.ALL_POINTS
        self.gives_way += unknown
        again = bool(program.names & set(rows.EXTRA))
        # Where an error ends executions early, accesses that would race need never meet in one: then they are no steps.
        which = "_at_races" if least.raw[number]["cut_short"] and strategy not in oracle.ALL_POINTS else ""
        found = [(what, missing, set()) for what, missing, _ in oracle.differences(least, least.raw[number], result, again, which)
                 if missing and not unknown]
        found += [(what, set(), surplus) for what, _, surplus in oracle.differences(most, most.raw[number], result, again) if surplus]
        if rows.DESTROYED in program.names:
            shown = {race[0] for race in oracle.bohr_races(result, {name for _, _, name in least.symbols})}
            missing = {race for race in least.races(least.raw[number]) if race[0] not in shown}
            found = [("races", missing, set())] if missing and not unknown else []
        elif strategy != "exitblock" and not most.raw[number]["cut_short"]:
            by_place = program.names & rows.BY_PLACE
            steps = "classes_at_races" if by_place and strategy not in oracle.ALL_POINTS else "classes"
            classes, fewest, all_classes = result["classes"], least.raw[number][steps], most.raw[number][steps]
            finer = strategy in oracle.ALL_POINTS and program.names & rows.BY_PLACE
            if (classes < fewest and not unknown) or (classes > all_classes and not (again or finer or program.names & self.loose)):
                found.append(("classes", fewest, classes))
            self.surplus += max(0, classes - all_classes)
        for difference in found:
            self.differ(difference, number, program, strategy, build, words)

    def differ(self, difference, number, program, strategy, build, words):
        self.differences.append(difference)
        if len(self.differences) <= 20:
            print(f"FAIL {program.title}, {strategy}, {build}")
            print(f"     {difference[0]:<10} missing {difference[1]}, surplus {difference[2]}")
            print(f"     again      {' '.join(map(str, words))}")
            print("\n".join("     | " + line for line in program.text(number).splitlines()), flush=True)

    def progress(self, following):
        """One line of a long form, which says where another start would go on."""
        print(f"{self.programs} programs, {len(self.differences)} differences; next: --first {following}")

    def report(self, what):
        print(f"{self.programs} {what}, {self.runs} searches, {self.interleavings} interleavings enumerated; "
              f"{self.too_large} programs too large; {self.unfinished} searches did not finish, {self.refused} were refused; "
              f"{self.surplus} classes more than the oracle's where a row depends on everything; "
              f"{self.gives_way} searches say that threads that yield were held back")
        print(f"searches that claim nothing: {dict(self.no_claim)}")
        print("programs with each row: " + ", ".join(f"{name} {count}" for name, count in sorted(self.taking_part.items())))
        if self.differences:
            kinds = collections.Counter(difference[0] for difference in self.differences)
            print(f"FAIL {len(self.differences)} differences: {dict(kinds)}")
            sys.exit(1)
        print(f"ok   {what} show what the oracle shows")


def run_range(description, check, numbers, each):
    """Calls CHECK(bohr, folder, first, count, each) as the command line says: NUMBERS and EACH if it says nothing."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--bohr", default="build/bin/bohr", type=pathlib.Path)
    parser.add_argument("--first", type=int, default=numbers.start)
    parser.add_argument("--count", type=int, default=len(numbers))
    parser.add_argument("--each", type=int, default=each, help="searches for each program")
    parser.add_argument("--keep", action="store_true", help="leave the temporary folder")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    for name in ("BOHR_OPTIONS", "BOHR_CC", "BOHR_CXX"):
        os.environ.pop(name, None)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bohr-oracle-"))
    try:
        check(arguments.bohr.resolve(), folder, arguments.first, arguments.count, arguments.each)
    finally:
        if arguments.keep:
            print(f"kept {folder}")
        else:
            shutil.rmtree(folder)
