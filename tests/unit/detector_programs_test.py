#!/usr/bin/env python3
"""For each kind of finding that a detector makes there are programs with it and without, built by gcc and by clang;
all together there are more than enough. What else each of them finds is for tests/run_programs.py to judge."""
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
from run_programs import Program  # noqa: E402

RUNS_MIN = 120
NO_DETECTOR = {"assertion", "crash", "uncaught-exception", "hang", "exit", "output", "nondeterminism"}


def kinds():
    rows = (TESTS.parent / "src/core/finding.def").read_text()
    return set(re.findall(r'^FINDING\(\w+, "([a-z-]+)"', rows, re.M)) - NO_DETECTOR


def has_clang(program):
    return "all" in program.modes or any(way.startswith("clang") for way in program.builds)


def main():
    programs = [Program(path) for path in sorted((TESTS / "programs").glob("*.c*"))]
    wrong, counted = [], set()
    for kind in sorted(kinds()):
        about = [program for program in programs
                 if any(f"finding {kind}" in run.expectations for run in program.runs)]
        runs = [(program.path.name, number, run, has_clang(program)) for program in about
                for number, run in enumerate(program.runs)]
        faulty = [run for run in runs if f"finding {kind}" in run[2].expectations]
        clean = [run for run in runs if "no finding" in run[2].expectations]
        counted |= {run[:2] for run in faulty + clean}
        if not faulty or not clean:
            wrong.append(f"{kind}: {len(faulty)} runs with it, {len(clean)} without")
        if not any(run[3] for run in faulty):
            wrong.append(f"{kind}: no program is built by clang, too")
    if len(counted) < RUNS_MIN:
        wrong.append(f"{len(counted)} runs, wanted: {RUNS_MIN}")
    if wrong:
        sys.exit("FAIL " + "\n     ".join(wrong))
    print(f"ok   {len(kinds())} kinds, {len(counted)} runs")


main()
