#!/usr/bin/env python3
"""CPU time a step of two builds, as a ratio within one run: compare.py --build NEW --base OLD.

The two builds take turns on every program of bench.py and on the reduced searches, and the least of the passes
counts for each. --check fails if a row of the new build takes more than --most (default 1.03) times as long."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from bench import HERE, PROGRAMS, REDUCED, USERFAULT, Mode, difference, least, run  # noqa: E402

WHOLE = Mode("to the end", ["--isolate", "reset"], 0, 0)


def build_program(build, folder, program):
    binary = folder / program.name
    subprocess.run([build / "bin" / "bohr", "cc", "-O2", *program.flags, "-o", binary,
                    HERE / "programs" / program.source], check=True)
    return binary


def sampled(build, folder, program, mode):
    """One pass: many executions, and few."""
    return [run(build / "bin" / "bohr", folder / program.name, program.strategy, mode, count, folder)
            for count in (mode.many, mode.few)]


def reduced(build, folder, program):
    """One pass: the whole search."""
    return [run(build / "bin" / "bohr", folder / program.name, "dpor", WHOLE, program.classes, folder)]


def step_time(passes, mode):
    columns = [least(column) for column in zip(*passes)]
    if len(columns) == 2:
        cost = difference(*columns, mode)
        return cost.cpu / cost.steps
    return columns[0]["cpu_seconds"] * 1e9 / columns[0]["steps"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--base", required=True, type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--passes", default=7, type=int)
    parser.add_argument("--most", default=1.03, type=float)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    builds = [arguments.build.resolve(), arguments.base.resolve()]
    rows = [(program, lambda *where: sampled(*where, USERFAULT)) for program in PROGRAMS]
    rows += [(program, reduced) for program in REDUCED]
    kept = True
    with tempfile.TemporaryDirectory(prefix="bohr-compare-") as temporary:
        folders = [pathlib.Path(temporary) / name for name in ("new", "base")]
        print(f"{'program':<16}{'ns a step':>10}{'base':>8}{'ratio':>8}")
        for program, measure in rows:
            for build, folder in zip(builds, folders):
                folder.mkdir(exist_ok=True)
                build_program(build, folder, program)
            passes = [[], []]
            for _ in range(arguments.passes):
                for mine, build, folder in zip(passes, builds, folders):
                    mine.append(measure(build, folder, program))
            new, base = (step_time(mine, USERFAULT) for mine in passes)
            kept &= new <= base * arguments.most
            print(f"{program.name:<16}{new:>10.1f}{base:>8.1f}{new / base:>8.3f}"
                  f"{'' if new <= base * arguments.most else '  NO'}", flush=True)
    sys.exit(1 if arguments.check and not kept else 0)


if __name__ == "__main__":
    main()
