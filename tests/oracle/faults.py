#!/usr/bin/env python3
"""Every row of the table of operations, with one of its columns broken on purpose: some pair of operations must show it.

A fault (`bohr run --fault COLUMN:WORD`) is caught if a pair of operations in which its row takes part ends otherwise, races
otherwise, has other classes than the oracle says, or does not end. The table of faults is printed. A fault that no pair
can show is in EQUIVALENT with the reason; a fault that is listed there and caught all the same is an error, too.
BOHR_LONG=1 tries all faults, the short form every eighth. Until every fault is caught or explained this is a report,
run by hand: it is no test of CTest."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import oracle  # noqa: E402
import programs  # noqa: E402
import rows  # noqa: E402

LONG = os.environ.get("BOHR_LONG") == "1"
COLUMNS = ["dependence", "sync", "memory", "enabled"]
PARTNERS, SHORT = 14, 8
NOTHING = "the operation has no such effect"
# (column, row): why no answer can change. A row "*" stands for all rows that are not named.
EQUIVALENT = {}


def candidates(row):
    """Pairs of this row with those of its family and with plain accesses, in the variants that show most."""
    names = [name for name in rows.SNIPPETS if rows.family(name) == rows.family(row)]
    found = []
    for snippet in rows.SNIPPETS[row]:
        for partner in sorted(names, key=lambda name: name != row):
            for other in rows.SNIPPETS[partner]:
                found.append(programs.pair(row, snippet, partner, other, "plain"))
                found.append(programs.pair(partner, other, row, snippet, "plain"))
    for variant in ("swapped", "assert"):
        found.append(programs.pair(row, rows.SNIPPETS[row][0], row, rows.SNIPPETS[row][0], variant))
    step = max(1, len(found) // PARTNERS)
    return found[:4] + found[4::step]


def caught(bench, judge, name, number, fault):
    """What shows that the fault is there, or None."""
    options = ["-s", "dpor", "--fault", fault, "-t", "20s"]
    try:
        result, _ = oracle.bohr_run(bench.bohr, bench.folder / name, number, options, bench.folder)
    except subprocess.TimeoutExpired:
        return "does not end"
    expected = judge.raw[number]
    found = oracle.differences(judge, expected, result)
    if found:
        return found[0][0]
    if not expected["cut_short"] and result["classes"] != expected["classes"]:
        return "classes"
    if result["cut"] > 0 or not result["complete"]:
        return "cut"
    return None


def check(bench):
    builder = oracle.Builder(bench.bohr, bench.folder)
    words = rows.words_of_table()
    table, wrong, turn = {}, [], 0
    for row in (row for row in rows.check_rows() if row in rows.SNIPPETS):
        chosen = [column for index, column in enumerate(COLUMNS) if LONG or (turn + index) % SHORT == 0]
        turn += len(COLUMNS)
        if not chosen:
            continue
        wanted = candidates(row)
        name = f"faults-{row}"
        builder.build(name, programs.file_of(wanted), "gcc", "-O1")
        judge = oracle.Oracle(builder, name, len(wanted), oracle.LIMIT_SHORT)
        for column in chosen:
            how = None
            for number, program in enumerate(wanted):
                if judge.raw[number]["limit"] is None and how is None:
                    how = caught(bench, judge, name, number, f"{column}:{words[row]}")
                    shown_by = program.title
            table[row, column] = f"caught: {how}, {shown_by}" if how else "not caught"
            reason = EQUIVALENT.get((column, row))
            if (how is None) != (reason is not None):
                wrong.append((row, column))
            print(f"{row:<18} {column:<11} {table[row, column]}{'; equivalent: ' + reason if reason else ''}", flush=True)
    print(f"{len(table)} faults, {sum(text.startswith('caught') for text in table.values())} caught")
    if wrong:
        print(f"FAIL faults that are neither caught nor known to be equivalent, or both: {wrong}")
        sys.exit(1)
    print("ok   every fault that can change an answer is caught")


if __name__ == "__main__":
    from engine import bench_run
    bench_run(check)
