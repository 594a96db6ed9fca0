#!/usr/bin/env python3
"""Each function that the runtime replaces is called by a program of tests/programs that runs in all
isolation modes and on both carriers; the table of functions in the manual is the one in the code."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
from engine import bench_run, fail, run, shown  # noqa: E402

MANUAL = ROOT / "docs/functions.md"
# names that no program can be made to ask for here, and why
EXCEPTIONS = {
}


def functions_of(bench):
    done = bench.must([bench.bohr, "list", "functions"])
    return [line.split(None, 2) for line in done.output.splitlines()]


def runs_everywhere(source):
    text = source.read_text()
    by_hand = ["--isolate fork --carrier kernel", "--isolate exec --carrier kernel"]
    return (re.search(r"^// modes: all", text, re.M) is not None
            or all(re.search(f"^// run: .*{way}", text, re.M) for way in by_hand))


def called_by(bench, source):
    """What the compiled program takes from libraries, whatever its text looks like."""
    compiler = ["g++", "-std=c++20"] if source.suffix == ".cpp" else ["gcc"]
    target = bench.folder / (source.stem + ".o")
    bench.must([*compiler, "-c", "-O1", "-fno-builtin", "-fno-inline",
                f"-I{ROOT / 'include'}", "-o", target, source])
    listing = bench.must(["nm", "--undefined-only", "--format=just-symbols", target]).output
    return set(listing.split())


def check(bench):
    wanted = {row[1] for row in functions_of(bench) if row[0] != "refused"}
    missing = set(wanted)
    for source in sorted((ROOT / "tests/programs").glob("*.c*")):
        if missing and runs_everywhere(source):
            missing -= called_by(bench, source)
    if missing != set(EXCEPTIONS):
        fail("functions without a program that calls them in all modes",
             expected=", ".join(sorted(EXCEPTIONS)) or "none",
             actual=", ".join(sorted(missing)) or "none",
             hint="write one in tests/programs, with `// modes: all`")
    print(f"ok   {len(wanted) - len(missing)} functions are called")


bench_run(check)
