#!/usr/bin/env python3
"""Random programs in C, those of reductions.py: `stateful` shows the final states, deadlocks, failures and races that
plain search shows. BOHR_STATEFUL_PROGRAMS says how many. `make test` takes the first third of the programs or fewer."""
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402
from reductions import ends_of, explore, random_program, source_of  # noqa: E402

TOGETHER, SEED = 30, 7
PROGRAMS = int(os.environ.get("BOHR_STATEFUL_PROGRAMS", tier.by_tier(4, 8, 24)))


def races_of(result):
    return sorted({(f["file"], f["line"]) for f in result["findings"] if f["kind"] == "race"})


def compare(bench, program, number, threads, counts):
    plain, states = explore(bench, ["-s", "dfs"], program, number)
    if not plain["complete"]:
        return False
    for points in ("race", "all"):
        options = ["-s", "stateful", "--points", points]
        result, reached = explore(bench, options, program, number)
        wanted = [states, ends_of(plain), races_of(plain), True, "all-states"]
        got = [reached, ends_of(result), races_of(result), result["complete"], result["claim"]["kind"]]
        if points == "all":
            wanted[2] = got[2] = None  # the same races, at other sites of a statement
        if wanted != got:
            fail(f"random program {number}", options=shown(options), program=program,
                 threads="\n                ".join(" ".join(thread) for thread in threads),
                 expected=wanted, actual=got)
        counts[points] += result["states"]
    counts["dfs"] += plain["executions"]
    return True


def check(bench):
    rng, done = random.Random(SEED), 0
    counts = dict.fromkeys(["dfs", "race", "all"], 0)
    while done < PROGRAMS:
        programs = [random_program(rng) for _ in range(TOGETHER)]
        program = bench.build(f"random-{done}", source_of(programs))
        for number, threads in enumerate(programs):
            if done < PROGRAMS:
                done += compare(bench, program, number, threads, counts)
    print(f"ok   {done} random programs: {counts['dfs']} executions of dfs, {counts['race']} states, "
          f"{counts['all']} with every access a step")


bench_run(check)
