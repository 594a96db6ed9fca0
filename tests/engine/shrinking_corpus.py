#!/usr/bin/env python3
"""Bugs of the corpus that a sampler finds are reported with no more preemptions than the heads of the
programs state: what `preempt` finds at that bound, a sampler's schedule is shrunk to. Compared are
findings of the same kind at the same place; a program may have others."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tools")]
from corpus_program import read_corpus  # noqa: E402
from engine import bench_run, fail  # noqa: E402

SYSTEMATIC = ["-s", "preempt", "-n", "5000"]
SAMPLED = ["-s", "pos", "-n", "1000"]
COMPARED_LEAST = 60  # programs; others have bugs that so few executions do not show


def places(result, kinds):
    return {(f["kind"], f["message"], f["file"], f["line"], f["function"]): f
            for f in result["findings"] if f["kind"] in kinds}


def compare(bench, program):
    """How many findings could be compared."""
    target = bench.folder / program.name
    program.build(bench.bohr, "gcc", target)
    expected, compared = program.bounds["preempt"], 0
    wanted = places(bench.explore([*program.options, *SYSTEMATIC], target, program.arguments),
                    program.finds)
    if not wanted:
        return 0
    result = bench.explore([*program.options, *SAMPLED], target, program.arguments)
    for place, finding in places(result, program.finds).items():
        if place not in wanted or wanted[place]["preemptions"] != expected:
            continue
        compared += 1
        if finding["preemptions"] > expected or not finding["confirmed"]:
            fail(f"{program.name}: {place[0]} at line {place[3]}",
                 expected=f"{expected} preemptions, run again", actual=finding["preemptions"],
                 found=finding["found"], confirmed=finding["confirmed"])
    return compared


def check(bench):
    programs = [program for program in read_corpus(ROOT / "corpus")
                if program.finds and program.bounds["preempt"] is not None
                and "preempt" not in program.beyond]
    compared = [compare(bench, program) > 0 for program in programs]
    print(f"{sum(compared)} of {len(programs)} programs compared")
    if sum(compared) < COMPARED_LEAST:
        fail("the corpus", expected=f"at least {COMPARED_LEAST} programs compared",
             actual=sum(compared))


bench_run(check)
