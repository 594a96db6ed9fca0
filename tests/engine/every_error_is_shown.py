#!/usr/bin/env python3
"""Each modelled function has its rows in tests/errors.txt, and each error there is shown by a program
that runs in all isolation modes, on both carriers and on the real libc, or it is said why it cannot."""
import errno
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
from engine import bench_run, fail, runs_everywhere  # noqa: E402

TABLE = ROOT / "tests/errors.txt"
PROGRAMS = ROOT / "tests/programs"
ON_LIBC = ["as_on_libc.py", "files_without_bohr.py"]
C11 = ["thrd_error", "thrd_nomem", "thrd_busy", "thrd_timedout"]
REASON_WORDS = 3


class Row:
    def __init__(self, number, line):
        self.line = f"{TABLE.name}:{number}: {line}"
        words = line.split(None, 3)
        self.function, self.error = words[0], words[1]
        self.program = words[2] if len(words) > 2 else ""
        self.reason = words[3] if len(words) > 3 else ""


def wrong(row, what):
    fail("the table of errors", row=row.line, expected=what)


def read_table():
    lines = enumerate(TABLE.read_text().splitlines(), 1)
    return [Row(number, line) for number, line in lines if line and not line.startswith("#")]


def check_functions(bench, rows):
    listing = bench.must([bench.bohr, "list", "functions"]).output.splitlines()
    kinds = {name: kind for kind, name in (line.split(None, 2)[:2] for line in listing)}
    missing = {name for name, kind in kinds.items() if kind != "refused"}
    missing -= {row.function for row in rows}
    if missing:
        fail("functions without a row in tests/errors.txt", actual=", ".join(sorted(missing)),
             expected="each function that is modelled has its errors there, or `none`")
    seen = set()
    for row in rows:
        if kinds.get(row.function, "refused") == "refused":
            wrong(row, "a function that is modelled")
        if (row.function, row.error, row.program) in seen:
            wrong(row, "each row once")
        seen.add((row.function, row.error, row.program))


def names_both(text, function, error):
    """In one statement, or in two that follow each other."""
    parts = re.split(r";|\n\n", text)
    for first, second in zip(parts, parts[1:] + [""]):
        if (re.search(rf"\b{function}\b", first)
                and re.search(rf"\b{error}\b", first + second)):
            return True
    return False


def check_program(row, on_libc):
    path = PROGRAMS / row.program
    if not path.exists():
        wrong(row, "a program of tests/programs")
    if not names_both(path.read_text(), row.function, row.error):
        wrong(row, f"{row.program} calls {row.function} and says {row.error} beside it")
    if not runs_everywhere(path):
        wrong(row, f"{row.program} runs in all modes")
    if row.reason:
        if not row.reason.startswith("without libc: "):
            wrong(row, "`without libc: ` and why")
    elif not re.search(rf'"{path.stem}(\.c|\.cpp)?"', on_libc):
        wrong(row, f"{row.program} is run on libc by {' or '.join(ON_LIBC)}")


def check_row(row, on_libc):
    if row.error in ("none", "as"):
        return False
    if not hasattr(errno, row.error) and row.error not in C11:
        wrong(row, "the name of an error")
    if row.program != "-":
        check_program(row, on_libc)
        return True
    if len(row.reason.split()) < REASON_WORDS:
        wrong(row, "a reason")
    return False


def check(bench):
    rows = read_table()
    check_functions(bench, rows)
    on_libc = "".join((ROOT / "tests/engine" / name).read_text() for name in ON_LIBC)
    shown = sum(check_row(row, on_libc) for row in rows)
    print(f"ok   {shown} errors of {len({row.function for row in rows})} functions are shown")


bench_run(check)
