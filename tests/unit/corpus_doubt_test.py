#!/usr/bin/env python3
"""tools/corpus --doubt-seeds: where `auto` seems to cost much it is measured with more seeds, and only there; a rerun
measures nothing. The tool is one that answers by strategy and seed alone."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# With its first seed `pct` is lucky on the program `doubt` and `auto` is not; with the others 10 and 20 executions.
TOOL = """#!/usr/bin/env python3
import json, pathlib, sys
command, arguments = sys.argv[1], sys.argv[2:]
value = lambda name, other: arguments[arguments.index(name) + 1] if name in arguments else other
if command == "list":
    print("auto\\npct")
elif command == "cc":
    open(value("-o", None), "w").close()
else:
    first, others = {"auto": (30, 20), "pct": (4, 10)}[value("-s", None)]
    lucky = value("--seed", "1") == "1" and arguments[-1].endswith("doubt")
    with open(pathlib.Path(sys.argv[0]).with_name("runs"), "a") as runs:
        print(arguments[-1].rsplit("/", 1)[1], value("-s", None), file=runs)
    json.dump({"threads": 2, "max_enabled": 2, "max_points": 2, "restarts": 0, "wall_seconds": 0, "complete": True,
               "executions": 50, "findings": [], "buggy": 1, "first_bug": first if lucky else others},
              open(value("--json", None), "w"))
    sys.exit(1)
"""
HEAD = "// Goes wrong.\n// group: cs\n// threads: 2\n// finds: deadlock\n// pb: 1\n// db: 1\n"


def measure(folder):
    """What is printed below the table, and how many searches there were of each program."""
    (folder / "runs").write_text("")
    done = subprocess.run([sys.executable, "-B", ROOT / "tools" / "corpus", "--bohr", folder / "bohr", "--corpus",
                           folder, "--results", folder / "results", "-s", "pct,auto", "--first", "--doubt-seeds", "5"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"FAIL tools/corpus\n     actual     status {done.returncode}: {done.stdout}{done.stderr}")
    runs = (folder / "runs").read_text().splitlines()
    return done.stdout, [sum(run.startswith(name) for run in runs) for name in ("doubt", "sure")]


def expect(what, expected, actual):
    if expected != actual:
        sys.exit(f"FAIL {what}\n     expected   {expected}\n     actual     {actual}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "bohr").write_text(TOOL)
    (folder / "bohr").chmod(0o755)
    for program in ("doubt", "sure"):
        (folder / f"{program}.c").write_text(HEAD)
    output, searches = measure(folder)
    # (4 + 4 x 10) / 5 = 8.8 and (30 + 4 x 20) / 5 = 22: a factor of 2.5, as 20 / 10 = 2 is no worse
    if "worst 2.5 (doubt: 22, pct 8.8)" not in output:
        sys.exit(f"FAIL the mean over more seeds\n     expected   worst 2.5 (doubt: 22, pct 8.8)\n     actual     {output}")
    expect("searches, with more seeds where in doubt", [2 + 2 * 5, 2], searches)
    again, searches = measure(folder)
    expect("searches of a rerun", [0, 0], searches)
    expect("what a rerun prints", output, again)
