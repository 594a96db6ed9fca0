#!/usr/bin/env python3
"""What the study found with 10,000 executions, by bounding preemptions or delays, is found here with as many, program
by program."""
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tools")]
import corpus_program  # noqa: E402
from engine import bench_run, fail  # noqa: E402

LIMIT = 10_000
PUBLISHED = {"preempt": 38, "delay": 45}  # how many it found, of 52


def finds(bench, program, binary, strategy):
    options = ["-q", "--no-shrink", "-s", strategy, "-n", str(LIMIT), *program.options]
    result = bench.explore(options, binary, program.arguments)
    return any(finding["kind"] in program.finds for finding in result["findings"])


def check(bench):
    corpus = {program.name: program for program in corpus_program.read_corpus(ROOT / "corpus")}
    with open(ROOT / "corpus" / "published.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    found = dict.fromkeys(PUBLISHED, 0)
    for row in rows:
        program, binary = corpus[row["program"]], bench.folder / row["program"]
        program.build(bench.bohr, "gcc", binary)
        for strategy in PUBLISHED:
            if not row[f"{strategy}_first"]:
                continue
            found[strategy] += 1
            if not finds(bench, program, binary, strategy):
                fail(f"{program.name} with {strategy}", expected=f"to be found as by the study, execution "
                     f"{row[f'{strategy}_first']}", actual=f"nothing in {LIMIT} executions")
    if found != PUBLISHED:
        fail("the study's bugs", expected=PUBLISHED, actual=found)


bench_run(check)
