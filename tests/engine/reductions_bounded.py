#!/usr/bin/env python3
"""The random programs in C of reductions.py: at each bound bpor shows the classes, final states, deadlocks and
failures that preempt shows there. `make test` takes the first third of the programs or fewer."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail  # noqa: E402
from reductions import SEED, TOGETHER, explore, random_program, source_of  # noqa: E402

BOUND = 2
PROGRAMS = tier.by_tier(15, 30, 120)


def classes_of(result):
    rows = {row["bound"]: row["classes"] for row in result["per_bound"]}
    return [rows.get(bound, 0) for bound in range(BOUND + 1)]


def findings_of(result):
    return sorted((f["kind"], f["message"], f["line"] or 0, f["preemptions"])
                  for f in result["findings"] if f["kind"] != "race")


def compare(bench, program, number, threads, counts):
    plain, states = explore(bench, ["-s", "preempt", "-b", BOUND], program, number)
    if not plain["complete"]:
        return False
    reduced, reached = explore(bench, ["-s", "bpor", "-b", BOUND], program, number)
    wanted = [classes_of(plain), states, findings_of(plain), True]
    got = [classes_of(reduced), reached, findings_of(reduced), reduced["complete"]]
    if wanted != got:
        fail(f"random program {number}", options=f"-s bpor -b {BOUND}",
             threads="\n                ".join(" ".join(thread) for thread in threads),
             expected=wanted, actual=got)
    counts["preempt"] += plain["executions"]
    counts["bpor"] += reduced["executions"] + reduced["cut"]
    return True


def check(bench):
    rng, done, counts = random.Random(SEED), 0, {"preempt": 0, "bpor": 0}
    while done < PROGRAMS:
        programs = [random_program(rng) for _ in range(TOGETHER)]
        program = bench.build(f"random-{done}", source_of(programs))
        for number, threads in enumerate(programs):
            done += compare(bench, program, number, threads, counts)
    print(f"ok   {done} random programs up to bound {BOUND}: " +
          ", ".join(f"{name} {count} executions" for name, count in counts.items()))


bench_run(check)
