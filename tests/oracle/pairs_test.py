#!/usr/bin/env python3
"""Every two kinds of operation side by side, against the oracle.

For rows A and B of core/op.def: `T1: data = 1; A` beside `T2: B; look at data`, and variants (tests/oracle/programs.py).
Bohr and the oracle run the same object file; ends of executions, races and, where every execution runs to its end, the
number of classes must be the same, with the searches in rotation. The programs are in a fixed order, in rounds: the first
round has every two rows once, each of them with some of their snippets and in some variant. `make test-all` takes all
programs with every search, `make test` 80. `--first N --count N` takes a part, `--each N` so many searches for each."""
import itertools
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from comparison import Comparison, run_range  # noqa: E402
import oracle  # noqa: E402
import programs  # noqa: E402
import rows  # noqa: E402
import tier  # noqa: E402

SEED, SHORT, IN_FILE, EACH = 5, 80, 50, 2


def all_pairs():
    """What programs.pair() takes for each program, in rounds that have every two rows at most once."""
    names = [name for name in rows.check_rows() if name in rows.SNIPPETS]
    ways = {}
    for a, b in itertools.product(names, names):
        ways[a, b] = list(itertools.product(rows.SNIPPETS[a], rows.SNIPPETS[b], programs.VARIANTS))
        random.Random(f"{SEED} {a} {b}").shuffle(ways[a, b])
    for turn in range(max(map(len, ways.values()))):
        pairs = [pair for pair in ways if turn < len(ways[pair])]
        random.Random(f"{SEED} {turn}").shuffle(pairs)
        for a, b in pairs:
            first, second, variant = ways[a, b][turn]
            yield a, first, b, second, variant


PAIRS = list(all_pairs())


def check(bohr, folder, first, count, each):
    comparison = Comparison(bohr, folder, oracle.LIMIT_LONG if tier.ALL else oracle.LIMIT_SHORT)
    end = min(first + count, len(PAIRS))
    for number in range(first, end, IN_FILE):
        compiler, level = oracle.BUILDS[number // IN_FILE % len(oracle.BUILDS)]
        wanted = [programs.pair(*parts) for parts in PAIRS[number:min(number + IN_FILE, end)]]
        comparison.file(f"pairs-{number}", wanted, compiler, level, each)
        if count > SHORT:
            comparison.progress(number + len(wanted))
    comparison.report(f"pairs of operations of {len(PAIRS)}")


if __name__ == "__main__":
    run_range(__doc__, check, tier.portion(range(len(PAIRS) if tier.ALL else SHORT)), None if tier.ALL else EACH)
