#!/usr/bin/env python3
"""The numbers of executions that programs with timed waits state are those that support/count_timed.py finds,
which knows nothing of the tool; the tool is held to them when the programs run."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "support"))
import count_timed  # noqa: E402
from engine import bench_run, fail  # noqa: E402

KNOWN = {2: 10, 3: 184}  # threads that lock and unlock once, from the design


def stated(name):
    """What the head of the program says of the run with these arguments."""
    program, *arguments = name.split()
    text = (ROOT / "programs" / f"{program}.cpp").read_text()
    run = "// run: -s dfs" + (" -- " + " ".join(arguments) if arguments else "")
    for part in text.split("// run: ")[1:]:
        first, *rest = ("// run: " + part).split("\n")
        found = re.search(r"^// expect: executions (\d+)$", "\n".join(rest), re.M)
        if first == run and found:
            return int(found.group(1))
    fail(f"{program}.cpp states no number", expected=f"`expect: executions` below `{run}`")


def check(bench):
    for threads, wanted in KNOWN.items():
        if count_timed.count(count_timed.two_locks(threads)) != wanted:
            fail("the counter itself", threads=threads, expected=wanted)
    for name, program in count_timed.COUNTS.items():
        wanted, got = count_timed.count(program), stated(name)
        if wanted != got:
            fail(name, expected=f"{wanted}, counted from its text", actual=f"{got} in its head")
        print(f"ok   {name} {got}")


bench_run(check)
