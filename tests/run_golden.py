#!/usr/bin/env python3
"""Reports as text, compared with tests/golden. Times and rates are left out; thread and object numbers
are part of the text. --update rewrites the files; the diff is read like code."""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
RUNS = {  # file in tests/golden: example, options
    "bank_transfer.txt": ("bank_transfer.c", []),
    "lock_order.txt": ("lock_order.c", []),
    "lost_update.txt": ("lost_update.c", []),
    "reference_count.txt": ("reference_count.c", []),
    "lost_update-keep-going.txt": ("lost_update.c", ["-s", "dfs", "-k"]),
}


def plain(text, folder):
    """Without what differs from one machine or moment to the next."""
    text = text.replace(str(folder) + "/", "").replace(str(ROOT) + "/", "")
    text = re.sub(r"0x[0-9a-f]{5,}", "ADDRESS", text)
    text = re.sub(r"\bin [\d.]+ s( \(\d+ a second\))?", "in TIME", text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def report(bohr, example, options, folder):
    source, program = ROOT / "examples" / example, folder / pathlib.Path(example).stem
    compiler = "cc" if source.suffix == ".c" else "c++"
    subprocess.run([bohr, compiler, "-O1", "-o", program, source.relative_to(ROOT)], check=True,
                   cwd=ROOT)
    done = subprocess.run([bohr, "run", "--no-progress"] + options + [f"./{program.name}"],
                          cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=dict(os.environ, NO_COLOR="1"))
    return plain(done.stdout + done.stderr + f"exit status {done.returncode}\n", folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bohr", default="build/bin/bohr")
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    bohr = os.path.abspath(arguments.bohr)
    failed = 0
    GOLDEN.mkdir(exist_ok=True)
    for name, (example, options) in RUNS.items():
        with tempfile.TemporaryDirectory(prefix="bohr-test-") as folder:
            actual = report(bohr, example, options, pathlib.Path(folder))
        golden = GOLDEN / name
        if arguments.update:
            golden.write_text(actual)
            continue
        expected = golden.read_text() if golden.exists() else ""
        if actual != expected:
            failed += 1
            print(f"FAIL {name}\n     example    {example} {' '.join(options)}\n"
                  f"     again      make golden, then git diff tests/golden")
            sys.stdout.writelines(difflib.unified_diff(
                expected.splitlines(True), actual.splitlines(True), "expected", "actual"))
    sys.exit(1 if failed else 0)


main()
