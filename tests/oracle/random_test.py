#!/usr/bin/env python3
"""Random C programs of the table's operations, against the oracle: same ends, same races, same classes.

Program N is the same on every machine. Two or three threads take statements of a few rows (so that they meet), on one or
two objects of each family, with plain accesses, late initialisation, destruction, heap and handles between them. The six
builds are in rotation, and so are the searches, two for each program. `make test-all` compares 20,000 programs,
`make test` 75. `--first N --count N` compares a part, `--each N` with so many searches for each program."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from comparison import Comparison, run_range  # noqa: E402
import oracle  # noqa: E402
import programs  # noqa: E402
import rows  # noqa: E402
import tier  # noqa: E402

SEED, IN_FILE, EACH = 20, 50, 2
SHORT, LONG = 75, 20_000  # programs


def statement(rng, palette, objects):
    name = rng.choice(palette)
    table = rows.SNIPPETS if name in rows.SNIPPETS else rows.EXTRA
    setup, code = programs.with_object(rng.choice(table[name]), rng.randrange(objects))
    return name, setup, code


def random_program(number):
    rng = random.Random(f"{SEED} {number}")
    names, extra = list(rows.SNIPPETS), list(rows.EXTRA)
    centre = names[number % len(names)]
    related = [name for name in names if rows.family(name) == rows.family(centre)]
    kin = {"MUTEX": ["mutex", "condition", rows.DESTROYED], "RWLOCK": ["rwlock"], "SPIN": ["spin"], "BARRIER": ["barrier"],
           "SEM": ["semaphore", rows.DESTROYED]}
    palette = [centre, rng.choice(related), rng.choice(names)]
    if rng.random() < 0.5:
        palette.append(rng.choice([name for name in extra if name in kin.get(rows.family(centre), ())] or extra))
    count = 3 if rng.random() < 0.25 else 2
    sizes = [1] * 3 if count == 3 else [rng.randint(1, 2), rng.randint(1, 2)]
    objects = 1 if rng.random() < 0.7 else 2
    taking_part, setups, threads = set(), [], []
    for index, size in enumerate(sizes):
        lines = []
        for position in range(size):
            if index == 0 and position == 0:
                name, setup, code = statement(rng, [centre], objects)
            else:
                name, setup, code = statement(rng, palette, objects)
            taking_part.add(name)
            setups += [setup] if setup else []
            lines.append(code)
        threads.append(lines)
    if rng.random() < 0.7:
        threads[0].insert(rng.randint(0, len(threads[0])), "PLAIN(data) = 1;")
        look = programs.ASSERTED if rng.random() < 0.25 else "GOT(PLAIN(data));"
        threads[1].insert(rng.randint(0, len(threads[1])), look)
        taking_part |= {"READ", "WRITE"}
    return programs.Program(f"random {number}", threads, setups, taking_part)


def check(bohr, folder, first, count, each):
    comparison = Comparison(bohr, folder, oracle.LIMIT_RANDOM)
    number = first
    while comparison.programs < count:
        block = min(IN_FILE, (count - comparison.programs) * 5 // 4 + 1)  # some are too large
        wanted = [random_program(at) for at in range(number, number + block)]
        compiler, level = oracle.BUILDS[number // IN_FILE % len(oracle.BUILDS)]
        comparison.file(f"random-{number}", wanted, compiler, level, each)
        number += block
        if count > SHORT:
            comparison.progress(number)
    missing = set(rows.SNIPPETS) - set(comparison.taking_part)
    if count >= LONG and missing:
        print(f"FAIL no program contains {sorted(missing)}")
        sys.exit(1)
    comparison.report("random programs")


if __name__ == "__main__":
    run_range(__doc__, check, tier.portion(range(LONG if tier.ALL else SHORT)), EACH)
