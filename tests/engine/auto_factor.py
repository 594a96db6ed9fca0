#!/usr/bin/env python3
"""`auto` takes at most six times as many executions to the first bug as whichever single strategy is best, for
some programs of the corpus that are searched quickly: as many as it has members. Means over five seeds; nothing
depends on time."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

PROGRAMS = ["bluetooth_driver", "deadlock01", "stack", "stringbuffer", "token_ring"]
STRATEGIES = "preempt,delay,surw,rf,pct,rare,few,auto"
WORST = 6


def check(bench):
    command = [ROOT / "tools" / "corpus", "--bohr", bench.bohr, "--results", bench.folder, "--jobs", "2",
               "-s", STRATEGIES, "--first", "--seeds", "5", "--limit", "5000", *PROGRAMS]
    done = run(command, seconds=600)
    match = re.search(r"(\d+) programs: .* worst ([\d.]+) \(", done.output)
    if done.status != 0 or not match or int(match.group(1)) != len(PROGRAMS):
        fail("tools/corpus", command=shown(command), expected=f"{len(PROGRAMS)} programs",
             actual=done.text())
    if float(match.group(2)) > WORST:
        fail("auto against the best strategy", command=shown(command),
             expected=f"{WORST} times as many at worst", actual=done.output)


bench_run(check)
