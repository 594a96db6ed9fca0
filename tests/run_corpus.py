#!/usr/bin/env python3
"""Holds programs of the corpus to what their heads say. Built with gcc and with clang, without a
warning, `preempt` and `delay` find what is said at exactly the bound that is said, and nothing
before; what is said to be right stays clean, whatever the strategy. `auto` finds each bug, as it is used. Whatever found it, the schedule that is reported has no more preemptions than are said. The
report of what `auto` found begins with the lines of the bug. Where
the number of classes is said, a search of all of them must count as many, and no search more: a plain one, or, where
there are too many interleavings for that, a reduced one. Those of corpus/large are searched less, and with gcc alone.

`make test` takes one of the compilers for each program, two of the searches of what is right, a tenth of the
executions, for what takes long gcc, and does not count more than 5,000 classes."""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
sys.path.insert(0, str(ROOT / "tests" / "support"))
import corpus_program  # noqa: E402
import tier  # noqa: E402
from replay import Replays  # noqa: E402

WARNINGS = ["-Wall", "-Wextra", "-Wno-unused-parameter"]
EXECUTIONS = 1_000_000
CLASSES_MAX = tier.by_tier(1_000, 5_000, EXECUTIONS)  # of a search of all of them
SECONDS = 3600  # a limit for a search that hangs
OPENING_LINES = 5
SAMPLES = tier.by_tier("500", "500", "5000")
MANY = tier.by_tier("2000", "2000", "20000")
CLEAN = [["-s", "preempt", "-b", "2", "-n", MANY], ["-s", "delay", "-b", "3", "-n", MANY],
         ["-s", "random", "-n", SAMPLES], ["-s", "pos", "-n", SAMPLES], ["-s", "auto", "-n", "2000"],
         ["-s", "dpor", "-n", "2000"]]
CLEAN_LARGE = [["-s", name, "-n", tier.by_tier("100", "200", "1000")] for name in ("preempt", "random", "auto", "best")]  # executions are long
OTHERS = ["dfs", "depth", "bpor", "best", "pct", "surw", "rf", "rare", "few", "idiom"]  # for some executions, with one compiler


class Failure(Exception):
    def __init__(self, **story):
        self.story = story


class Search:
    """One run of bohr on a program."""

    def __init__(self, bohr, program, binary, folder, options):
        report = folder / "result.json"
        report.unlink(missing_ok=True)
        explain = [] if "auto" in options else ["--no-explain"]
        self.command = [str(bohr), "run", "--no-progress", *explain, "-o", str(folder / "out"), "--json",
                        str(report), "-t", f"{SECONDS}s", *options, *program.options, str(binary),
                        *program.arguments]
        try:
            done = subprocess.run(self.command, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, errors="replace", timeout=2 * SECONDS, cwd=folder)
        except subprocess.TimeoutExpired:
            raise Failure(expected=f"an end after {SECONDS} seconds", actual="still running",
                          again=shlex.join(self.command))
        self.output = done.stdout + done.stderr
        if done.returncode not in (0, 1) or not report.exists():
            self.fail("exit status 0 or 1", f"exit status {done.returncode}")
        self.json = json.loads(report.read_text())
        self.bound = self.json["per_bound"][-1]["bound"] if self.json["per_bound"] else None

    def fail(self, expected, actual):
        raise Failure(expected=expected, actual=actual, output=self.output.rstrip() or "(nothing)",
                      again=shlex.join(self.command))

    def errors(self, program):
        """Kinds of errors, without the races that the program is not about."""
        return [finding["kind"] for finding in self.json["findings"]
                if finding["severity"] == "error"
                and (finding["kind"] != "race" or not program.finds or "race" in program.finds)]


def check_kinds(program, search):
    found = search.errors(program)
    if not found:
        search.fail(f"a finding of kind {' or '.join(program.finds)}",
                    f"none in {search.json['executions']} executions")
    for kind in found:
        if kind not in program.finds:
            search.fail(f"findings of kind {' or '.join(program.finds)}", kind)


def check_bound(program, strategy, bound, run):
    search = run(["--no-shrink", "-s", strategy, "-b", str(bound), "-n", str(EXECUTIONS)])
    check_kinds(program, search)
    if program.finds == ["race"]:  # a race does not stop the search
        if bound > 0:
            before = run(["-s", strategy, "-b", str(bound - 1), "-n", str(EXECUTIONS)])
            if before.errors(program):
                before.fail(f"nothing at bound {bound - 1} of {strategy}", "a race")
    elif search.bound != bound:
        search.fail(f"to be found at bound {bound} of {strategy}", f"found at {search.bound}")
    if search.json["threads"] != program.threads:
        search.fail(f"{program.threads} threads", f"{search.json['threads']}")


def check_preemptions(program, search, bound):
    """The schedule that is reported has as few as are needed, whatever found it. It may have fewer
    if it was found before the accesses that race were steps; a bug that shows in several ways may
    have shown in one that needs more, which is then proved."""
    for finding in search.json["findings"]:
        if (finding["kind"] in program.finds and finding["preemptions"] > bound
                and not finding["fewest_preemptions"]):
            search.fail(f"a schedule with at most {bound} preemptions",
                        f"one with {finding['preemptions']}")


def opening_of(program, search):
    """The lines with which the report of the finding begins."""
    for number, finding in enumerate(search.json["findings"], 1):
        if finding["kind"] in program.finds:
            report = search.output.split(f"finding {number}: ", 1)[-1]
            return report.split("\n\n", 1)[0].splitlines()
    return []


def check_lines(program, search):
    """A report begins with the bug: at most five lines, and the source lines that the head says are there."""
    opening = opening_of(program, search)
    named = {int(line) for line in re.findall(r"(?:\bline |\.cc?:)(\d+)", " ".join(" ".join(opening).split()))}
    if len(opening) > OPENING_LINES:
        search.fail(f"at most {OPENING_LINES} lines that say what is wrong", len(opening))
    missing = [line for line in program.lines if line not in named]
    if missing:
        search.fail(f"first lines that name lines {program.lines}", f"they do not name {missing}")


def check_nothing(program, search):
    if search.errors(program):
        search.fail("nothing to be found", ", ".join(search.errors(program)))
    if search.json["threads"] != program.threads:
        search.fail(f"{program.threads} threads", f"{search.json['threads']}")


def check_classes(program, run):
    sampled = run(["-s", "random", "-n", SAMPLES])
    check_nothing(program, sampled)
    if sampled.json["classes"] > program.classes:
        sampled.fail(f"at most {program.classes} classes", sampled.json["classes"])
    if program.classes > CLASSES_MAX:
        return
    strategy = ["dpor"] if "classes" in program.beyond else ["dfs", "--cache"]
    search = run(["-s", *strategy, "-n", str(EXECUTIONS)])
    check_nothing(program, search)
    if not search.json["complete"] or search.json["classes"] != program.classes:
        search.fail(f"{program.classes} classes and no more",
                    f"{search.json['classes']}, complete: {search.json['complete']}")


def check(bohr, program, folder, compiler):
    binary = folder / program.name
    program.build(bohr, compiler, binary, WARNINGS)
    if program.group == "large" and compiler != "gcc":
        return

    replays = Replays(bohr)

    def run(options):
        search = Search(bohr, program, binary, folder, options)
        story = replays.problem(binary, search.json["findings"], program.options, cwd=folder)
        if story is not None:
            raise Failure(search=shlex.join(search.command), **story)
        return search
    if program.classes is not None:
        check_classes(program, run)
        return
    if not program.finds:
        others = [["-s", name, "-n", "300"] for name in OTHERS if compiler == "gcc"]
        searches = CLEAN_LARGE if program.group == "large" else CLEAN + others
        for options in tier.sample(program.name, searches, 2):
            check_nothing(program, run(options))
        return
    for strategy, bound in program.bounds.items():
        if bound is not None and strategy not in program.beyond:
            check_bound(program, strategy, bound, run)
    if program.beyond and compiler == "clang":
        return  # what takes long is found once
    fewest = program.bounds["preempt"]
    search = run(["-s", "auto"])
    check_kinds(program, search)
    if compiler == "gcc":  # which execution is shown may differ with another one
        check_lines(program, search)
    if fewest is not None:
        check_preemptions(program, search, fewest)
        if not program.beyond and program.group != "large":
            check_preemptions(program, run(["-s", "random", "-n", SAMPLES]), fewest)


def compilers_for(program):
    """In `make test` one of them: gcc for what is searched with gcc alone."""
    if program.beyond or program.group == "large":
        return tier.by_tier(("gcc",), ("gcc",), ("gcc", "clang"))
    return tier.sample(program.name, ("gcc", "clang"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bohr", type=pathlib.Path, default=ROOT / "build" / "bin" / "bohr")
    parser.add_argument("--only", metavar="NAME", help="this variant alone")
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    failed = False
    for source in options.sources:
        try:
            programs = corpus_program.read_programs(source)
        except corpus_program.Wrong as wrong:
            print(f"FAIL {wrong}")
            failed = True
            continue
        for program in programs:
            if options.only not in (None, program.name):
                continue
            with tempfile.TemporaryDirectory() as folder:
                try:
                    for compiler in compilers_for(program):
                        check(options.bohr.resolve(), program, pathlib.Path(folder), compiler)
                    print(f"ok   {program.name}")
                except corpus_program.Wrong as wrong:
                    print(f"FAIL {program.name}\n     {wrong}")
                    failed = True
                except Failure as failure:
                    print(f"FAIL {program.name}")
                    for key, value in failure.story.items():
                        indented = str(value).replace("\n", "\n" + " " * 16)
                        print(f"     {key:10} {indented}")
                    failed = True
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
