#!/usr/bin/env python3
"""What a reduced search says is left (`remaining` in the result): in most cases the interval holds the truth where that is
known, lastzero's 2^(N-2) (N+3) classes, also of workers that have parts of the tree; nothing is left at the end."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
sys.path.insert(0, str(ROOT / "tools"))
import corpus_program  # noqa: E402
from engine import bench_run, fail  # noqa: E402


def remaining(bench, program, writers, *options):
    result = bench.explore(["--no-shrink", "--races", "off", *options], program, [str(writers)])
    return result["remaining"], result


def check_known(bench, program, workers, sizes):
    held = []
    for writers in sizes:
        total = 2 ** (writers - 2) * (writers + 3)
        for part in (8, 4, 2):
            run = total // part
            left, result = remaining(bench, program, writers, "-s", "dpor", "-j", workers, "-n", str(run))
            if left is None or not 0 <= left["low"] <= left["executions"] <= left["high"]:
                fail("no estimate", writers=writers, executions=run, expected="an interval", actual=left)
            truth = total - (result["executions"] if result["restarts"] == 0 else run)
            held.append(left["low"] - 1 <= truth <= left["high"] + 1)
    if sum(held) < len(held) * (2 / 3 if workers == 1 else 1 / 2):  # who does what when differs from run to run
        fail("intervals that hold the truth", workers=workers, expected="most", actual=f"{sum(held)} of {len(held)}")


def check_nothing(bench, program):
    for options in (["-s", "dpor"], ["-s", "bpor", "-b", "1"], ["-s", "dpor", "-j", "2"],
                    ["-s", "bpor", "-b", "1", "-j", "2"]):
        left, _ = remaining(bench, program, 7, *options)
        if left is not None:
            fail("what is left is not known, or nothing", options=options, expected=None, actual=left)


def check(bench):
    for program in corpus_program.read_programs(ROOT / "corpus" / "lastzero.c"):
        if program.name == "lastzero_10":
            program.build(bench.bohr, "gcc", bench.folder / "lastzero")
    check_known(bench, bench.folder / "lastzero", 1, (7, 8, 9, 10))
    check_known(bench, bench.folder / "lastzero", 2, (11, 12, 13))
    check_nothing(bench, bench.folder / "lastzero")


bench_run(check)
