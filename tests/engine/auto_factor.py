#!/usr/bin/env python3
"""`auto` takes at most five times as many executions to the first bug as whichever single strategy is best, for
some programs of the corpus that are searched quickly: as many as take turns at first. Where the best is lucky, and
needs fewer than three, it takes at most twenty more. Means over five seeds; nothing
depends on time. `make test` takes three of the programs."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, run, shown  # noqa: E402

PROGRAMS = tier.sample("auto_factor", ["bluetooth_driver", "deadlock01", "shared_pointer_swap", "stack", "stringbuffer",
                                       "three_locks", "token_ring", "twostage_20"], 3)
STRATEGIES = "preempt,delay,surw,rf,pct,rare,few,auto"


def check(bench):
    command = [ROOT / "tools" / "corpus", "--bohr", bench.bohr, "--results", bench.folder, "--jobs", "2",
               "-s", STRATEGIES, "--first", "--seeds", "5", "--limit", "5000", *PROGRAMS]
    done = run(command)
    match = re.search(r"^For (\d+) of (\d+) programs", done.output, re.M)
    if done.status != 0 or not match or int(match.group(2)) != len(PROGRAMS):
        fail("tools/corpus", command=shown(command), expected=f"{len(PROGRAMS)} programs",
             actual=done.text())
    if int(match.group(1)) != len(PROGRAMS):
        fail("auto against the best strategy", command=shown(command), expected="no more than that for any",
             actual=done.output)


bench_run(check)
