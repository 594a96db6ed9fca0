#!/usr/bin/env python3
"""What a reduced search says is left (`remaining` in the result): in most cases the interval holds the truth where that is
known, lastzero's 2^(N-2) (N+3) classes, also of workers that have parts of the tree, and at each bound; nothing is left
at the end."""
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
    if sum(held) < len(held) * (2 / 3 if workers == 1 else 1 / 2):  # which worker does what when differs from run to run
        fail("intervals that hold the truth", workers=workers, expected="most", actual=f"{sum(held)} of {len(held)}")


def check_bounds(bench, program, writers):
    """At each bound after the first, on the way through it: what bpor says is left beside what it then ran."""
    bounds = remaining(bench, program, writers, "-s", "bpor")[1]["per_bound"]
    totals, held, near, begun = {row["bound"]: row["executions"] for row in bounds}, 0, 0, bounds[0]["executions"]
    asked = []
    while begun < sum(totals.values()):
        left, result = remaining(bench, program, writers, "-s", "bpor", "-n", str(begun))
        begun += begun // 4
        row = result["per_bound"][-1]
        if left is None or row["bound"] == 0:
            continue
        truth = totals[row["bound"]] - row["executions"]
        asked.append((row["bound"], row["executions"], truth, round(left["executions"])))
        held += left["low"] - 1 <= truth <= left["high"] + 1
        near += left["executions"] + row["executions"] <= 3 * totals[row["bound"]]
    if len(asked) < 8 or held < 0.8 * len(asked) or near < 0.8 * len(asked):
        fail("what bpor says is left", writers=writers, expected="most intervals hold the truth, most totals are near",
             actual=f"{held} hold it and {near} are near of {len(asked)}", asked=asked)
    print(f"ok   bpor, {writers} writers: of {len(asked)} intervals {held} hold the truth, {near} are near it")


def check_nothing(bench, program):
    for executions in ("1500", "6000"):  # several workers do not compare with the bound before
        left, result = remaining(bench, program, 6, "-s", "bpor", "-j", "2", "-n", executions)
        if left is not None or result["per_bound"][-1]["bound"] == 0:
            fail("what several workers have left at a later bound", expected=None, actual=left, result=result["per_bound"])
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
    for writers in (5, 6):
        check_bounds(bench, bench.folder / "lastzero", writers)
    check_nothing(bench, bench.folder / "lastzero")


bench_run(check)
