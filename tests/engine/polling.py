#!/usr/bin/env python3
"""Loops that look at a flag under a lock: as many executions as a counter that knows nothing of the tool
says, whatever searches through all of them."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from count_polling import count  # noqa: E402
from engine import bench_run, fail, findings_of  # noqa: E402

PROGRAM = pathlib.Path(__file__).resolve().parent.parent / "programs" / "poll_under_lock_ends.c"


def check(bench):
    program = bench.build("poll", PROGRAM.read_text())
    for pollers in (1, 2):
        for way in ("mutex", "spin", "write"):
            for strategy in ("dfs", "preempt", "delay"):
                result = bench.explore(["-s", strategy], program, [way, str(pollers)])
                if result["executions"] != count(pollers) or not result["complete"]:
                    fail(f"{strategy}/{way}-{pollers}", expected=f"{count(pollers)} executions",
                         actual=f"{result['executions']}, complete: {result['complete']}",
                         findings=findings_of(result))
        print(f"ok   {pollers} pollers: {count(pollers)} executions")


bench_run(check)
