#!/usr/bin/env python3
"""Each promise of tests/promises.txt names tests that exist and can fail."""
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "support"))
from engine import bench_run, fail  # noqa: E402


def path_of(test):
    return TESTS / f"{test}.py" if test.startswith("engine/") else TESTS / "programs" / test


def check_promise(number, line):
    promise, _, tests = line.partition(": ")
    story = {"row": f"promises.txt:{number}: {line}"}
    if not tests.split():
        fail("a promise without a test", expected="PROMISE: TEST TEST …", **story)
    for test in tests.split():
        if not path_of(test).exists():
            fail(f"the promise of {promise}", expected=f"{path_of(test)} exists", **story)
        if path_of(test).suffix != ".py" and "// expect: " not in path_of(test).read_text():
            fail(f"the promise of {promise}", expected=f"{test} expects something", **story)


def check(bench):
    lines = (TESTS / "promises.txt").read_text().splitlines()
    rows = [(number, line) for number, line in enumerate(lines, 1)
            if line and not line.startswith("#")]
    if not rows:
        fail("the table of promises", expected="rows", actual="none")
    for number, line in rows:
        check_promise(number, line)
    print(f"ok   {len(rows)} promises are tested")


bench_run(check)
