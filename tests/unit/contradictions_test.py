#!/usr/bin/env python3
"""A row of a table that contradicts itself or another table does not compile, and the compiler names the table, the
row and what must hold."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPERATIONS, SHARES, SAFETY = ("core/op.def", "runtime/interpose/shares.def", "runtime/time/safety.def")
UNITS = {OPERATIONS: "core/op.c", SHARES: "runtime/interpose/interpose.c", SAFETY: "runtime/interpose/interpose.c"}
# Table, what stands there, what is put in its place, what the compiler says.
CASES = [
    (OPERATIONS, None, None, None),
    (SHARES, None, None, None),
    (OPERATIONS, "DEPENDS(WRITE, READ, OBJECT, THREAD, ACQUIRE)", "DEPENDS(NONE, READ, OBJECT, NOTHING, ACQUIRE)",
     "core/op.def: JOIN synchronises, so it must access an object or name a thread"),
    (OPERATIONS, "RUNS(THREAD, NOTHING, UNKNOWN, NEVER,", "RUNS(THREAD, NOTHING, UNKNOWN, IMPOSSIBLE,",
     "core/op.def: JOIN fails where it is impossible, so that must be known"),
    (SHARES, "LOOKS(stat, ", "PUTS(stat, ", "shares.def: stat is not ON_FILE: no PUTS, no file"),
    (SHARES, "SHARES(chdir, SHARED_NAMES,", "SHARES(chdir, SHARED_CONTENTS,",
     "shares.def: chdir is not ON_FILE: no PUTS, no file"),
    (SHARES, "PUTS(write, ", "LOOKS(write, ", "shares.def: write is ON_FILE: no LOOKS"),
    (SHARES, "ALONE(mlock) ", "", "EFFECT_mlock"),
    (SHARES, "ALONE(mlock) ", "ALONE(mlock) ALONE(mlock) ", "SHARES_READ_mlock"),
    (SAFETY, "SAFE(getpid)", "", "SAFETY_getpid"),
]


def messages(folder, unit):
    done = subprocess.run(["gcc", "-std=gnu17", "-fsyntax-only", "-w", f"-I{folder}/src", f"-I{folder}/include",
                           f"{folder}/src/{unit}"], capture_output=True, text=True)
    return [line for line in done.stderr.splitlines() if "error:" in line]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("src", "include"):
            shutil.copytree(ROOT / part, folder / part)
        for table, old, new, wanted in CASES:
            path = folder / "src" / table
            text = path.read_text()
            if old is not None:
                if old not in text:
                    sys.exit(f"FAIL {table}: no row has {old}")
                path.write_text(text.replace(old, new, 1))
            found = messages(folder, UNITS[table])
            path.write_text(text)
            if wanted is None and found or wanted is not None and not any(wanted in line for line in found):
                sys.exit(f"FAIL {table}: {old} becomes {new}\n     expected  {wanted or 'no error'}\n"
                         f"     actual    {found[:3]}")
            print(f"ok   {table}: {wanted or 'as it is'}")


main()
