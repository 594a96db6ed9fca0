#!/usr/bin/env python3
"""Every two kinds of operation side by side, against the oracle.

For rows A and B of core/op.def: `T1: data = 1; A` beside `T2: B; look at data`, and variants (tests/oracle/programs.py).
Bohr and the oracle run the same object file; ends of executions, races and, where every execution runs to its end, the
number of classes must be the same, with the searches in rotation. The short form takes every so many-th program;
`make test-all` takes all of them with every search."""
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from comparison import Comparison  # noqa: E402
import oracle  # noqa: E402
import programs  # noqa: E402
import rows  # noqa: E402
import tier  # noqa: E402

SHORT, IN_FILE = 80, 200


def all_pairs():
    names = [name for name in rows.check_rows() if name in rows.SNIPPETS]
    for variant in programs.VARIANTS:
        for a, b in itertools.product(names, names):
            for first, second in itertools.product(rows.SNIPPETS[a], rows.SNIPPETS[b]):
                yield a, first, b, second, variant


def chosen():
    everything = list(all_pairs())
    if tier.ALL:
        return tier.part(everything)
    step = len(everything) // SHORT
    return everything[::step | 1]


def check(bench):
    comparison = Comparison(bench.bohr, bench.folder, oracle.LIMIT_LONG if tier.ALL else oracle.LIMIT_SHORT)
    wanted = [programs.pair(*parts) for parts in chosen()]
    for number, start in enumerate(range(0, len(wanted), IN_FILE)):
        compiler, level = oracle.BUILDS[number % len(oracle.BUILDS)]
        comparison.file(f"pairs-{number}", wanted[start:start + IN_FILE], compiler, level, None if tier.ALL else 2)
    comparison.report("pairs of operations")


if __name__ == "__main__":
    from engine import bench_run
    bench_run(check)
