#!/usr/bin/env python3
"""Each function that libc and libm export is in exactly one table: the runtime replaces it, it is known to
access nothing that threads share (core/local.def, core/local_math.def), or it is named in the claim of a program
that uses it (core/unseen.def). The tables hold no other name, and a claim names what is used."""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
from engine import bench_run, fail  # noqa: E402

VERSION = "2.36"  # of glibc: that of the tables
LIBRARIES = ["libc.so.6", "libm.so.6"]
TABLES = {name: re.compile(rf"\b{row}\((\w+)\)") for name, row in
          {"local.def": "PLAIN", "local_math.def": "PLAIN", "unseen.def": "UNSEEN"}.items()}
PROGRAM = """
#include <locale.h>
#include <stdlib.h>
int main(void) { setlocale(LC_ALL, "C"); return abs(0); }
"""


def exported(bench, library, default):
    path = bench.must(["gcc", f"-print-file-name={library}"]).output.strip()
    listing = bench.must(["nm", "--dynamic", "--defined-only", path]).output
    rows = [line.split() for line in listing.splitlines()]
    return {row[2].split("@")[0] for row in rows
            if len(row) == 3 and row[1] in "TWi" and (not default or "@@" in row[2])}


def check_tables(bench):
    runtime = exported(bench, str(bench.bohr.parent.parent / "lib/bohr/libtsan.so.2"), False)
    library = set().union(*(exported(bench, name, True) for name in LIBRARIES))
    tables = {"the runtime": runtime & library}
    for name, row in TABLES.items():
        text = (ROOT / "src/core" / name).read_text()
        tables[name] = set(row.findall(text[text.index("*/"):]))
    for name, rows in tables.items():
        others = set().union(*(other for key, other in tables.items() if key != name))
        wrong = rows & others or rows - library
        if wrong:
            fail(f"functions of {name}", expected="exported by libc or libm, and in one table",
                 actual=", ".join(sorted(wrong)))
    missing = library - set().union(*tables.values())
    if missing:
        fail("functions of libc and libm", expected="each in a table",
             actual=", ".join(sorted(missing)))
    print("ok   " + ", ".join(f"{len(rows)} in {name}" for name, rows in tables.items()))


def check_claim(bench):
    source = bench.folder / "used.c"
    source.write_text(PROGRAM)
    report = bench.folder / "used.json"
    bench.must([bench.bohr, "run", "-s", "dfs", "--json", report, "-o", bench.folder / "out", source])
    result = json.loads(report.read_text())
    if result["claim"]["unknown_functions"] != ["setlocale"] or \
            "not seen: setlocale" not in result["claim"]["text"]:
        fail("a claim", expected="names setlocale alone", actual=str(result["claim"]))
    print("ok   the claim names setlocale")


def check(bench):
    text = subprocess.run(["ldd", "--version"], capture_output=True, text=True).stdout
    if VERSION not in text.splitlines()[0]:
        print(f"the tables are those of glibc {VERSION}: skipped")
        sys.exit(77)
    check_tables(bench)
    check_claim(bench)


bench_run(check)
