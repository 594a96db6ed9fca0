#!/usr/bin/env python3
"""Executions to the first bug, as means over fixed seeds: no more than what was published for other
tools (reorder, twostage, safestack, stringbuffer, bluetooth_driver, qsort_mt, work-stealing queues).
Searches are bounded by executions, so that a result is the same on any machine. `make test` takes six that need few
executions."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
import corpus_program  # noqa: E402
import tier  # noqa: E402
from engine import bench_run, fail  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIMIT = 400_000
LONG = 1000  # where so many executions were published, `make test` leaves the program out
# Source, program, strategy, seeds, published mean (over 20 seeds; five for safestack, which takes long, and of which a tenth is needed).
PUBLISHED = [
    ("reorder.c", "reorder_3", "rf", 20, 6),
    ("reorder.c", "reorder_4", "rf", 20, 6),
    ("reorder.c", "reorder_5", "rf", 20, 6),
    ("reorder.c", "reorder_10", "rf", 20, 6),
    ("reorder.c", "reorder_20", "rf", 20, 6),
    ("reorder.c", "reorder_50", "rf", 20, 6),
    ("reorder.c", "reorder_100", "rf", 20, 6),
    ("twostage.c", "twostage_20", "rf", 20, 6),
    ("twostage.c", "twostage_50", "rf", 20, 20),
    ("twostage.c", "twostage_100", "rf", 20, 56),
    ("stringbuffer.c", "stringbuffer", "surw", 20, 8),
    ("qsort_mt.c", "qsort_mt", "few", 20, 27),
    ("wsq.c", "WSQ", "surw", 20, 6),
    ("wsq.c", "IWSQ", "surw", 20, 6),
    ("swsq.cc", "SWSQ", "surw", 20, 6),
    ("swsq.cc", "IWSQWS", "surw", 20, 6),
    ("bluetooth_driver.c", "bluetooth_driver", "auto", 20, 9),
    ("safestack.c", "safestack", "rare", 5, 368_921),
    ("safestack.c", "safestack", "auto", 5, 368_921),
]


def build(bench, source, name):
    for program in corpus_program.read_programs(ROOT / "corpus" / source):
        if program.name == name:
            program.build(bench.bohr, "gcc", bench.folder / name)
            return program
    fail(f"{name} is not in corpus/{source}")


def first_bug(bench, program, strategy, seed):
    options = ["-s", strategy, "-n", str(LIMIT), "--seed", str(seed), "--no-shrink",
               *program.options]
    result = bench.explore(options, bench.folder / program.name, program.arguments, status=1)
    if result["first_bug"] is None:
        fail(f"{program.name} with {strategy}", seed=seed, expected="the bug",
             actual=f"nothing in {result['executions']} executions")
    return result["first_bug"]


def check(bench):
    short = [row for row in PUBLISHED if row[-1] <= LONG]
    for source, name, strategy, seeds, published in PUBLISHED if tier.ALL else tier.sample("published", short, 6):
        program = build(bench, source, name)
        found = [first_bug(bench, program, strategy, seed) for seed in range(1, seeds + 1)]
        mean = sum(found) / len(found)
        print(f"{name} with {strategy}: {mean:.1f}, published {published}", flush=True)
        if mean > published:
            fail(f"{name} with {strategy}", expected=f"a mean of at most {published} executions",
                 actual=f"{mean:.1f}: {found}")


bench_run(check)
