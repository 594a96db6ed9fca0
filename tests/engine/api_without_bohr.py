#!/usr/bin/env python3
"""A program that uses bohr.h compiles without warnings and runs with every compiler and without
Bohr: plain, built by bohr cc but run by itself, and with all its warnings on."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import SECONDS  # noqa: E402
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = """
#include <bohr.h>
#include <stdio.h>
static int order;
static void first(void) { order = order * 10 + 1; }
static void second(void) { order = order * 10 + 2; }
int main(int argc, char **argv)
{
    int local = 0;
    (void)argv;
    bohr_name(&local, "local");
    bohr_benign_race(&local, sizeof local);
    bohr_atomic_begin();
    bohr_ignore_begin();
    local++;
    bohr_ignore_end();
    bohr_atomic_end();
    bohr_yield();
    bohr_test(first, second);
    bohr_assert(argc < 2);
    printf("%d %u %d\\n", order, bohr_choose(5), bohr_running());
    return 0;
}
"""
STRICT = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
WAYS = [["gcc", "-std=c99"], ["gcc", "-O2"], ["gcc", "-no-pie", "-O1"], ["clang", "-std=c17"],
        ["g++", "-std=c++11"], ["g++", "-std=c++20", "-O2"], ["clang++", "-std=c++11"],
        ["clang++", "-std=c++20", "-O2"]]


def fail(what, expected, actual):
    sys.exit(f"FAIL {what}\n     expected   {expected}\n     actual     {actual}")


def check(folder, bohr, command, language):
    source = folder / f"program.{language}"
    source.write_text(PROGRAM)
    binary = folder / "program"
    build = subprocess.run(command + STRICT + ["-o", binary, source], capture_output=True, text=True)
    name = " ".join(map(str, command))
    if build.returncode != 0 or build.stderr:
        fail(name, "it compiles without a warning", build.stderr)
    run = subprocess.run([binary], capture_output=True, text=True, timeout=SECONDS)
    if (run.returncode, run.stdout) != (0, "12 0 0\n"):
        fail(name, "order 12, choice 0, not running", (run.returncode, run.stdout, run.stderr))
    wrong = subprocess.run([binary, "wrong"], capture_output=True, text=True, timeout=SECONDS)
    if wrong.returncode != -6 or "argc < 2" not in wrong.stderr:
        fail(name, "an abort that names the condition", (wrong.returncode, wrong.stderr))
    under = subprocess.run([bohr, "run", "--no-progress", "-s", "dfs", "-o", folder / "out", binary],
                           capture_output=True, text=True, timeout=SECONDS)
    if under.returncode != 0 or "all 2 interleavings" not in under.stdout:
        fail(f"{name}, run by bohr", "one execution for each test", under.stdout + under.stderr)


def main():
    bohr = os.path.abspath(sys.argv[sys.argv.index("--bohr") + 1])
    with tempfile.TemporaryDirectory(prefix="bohr-api-") as temporary:
        folder = pathlib.Path(temporary)
        for way in WAYS:
            language = "cpp" if "++" in way[0] else "c"
            check(folder, bohr, way + ["-I", ROOT / "include"], language)
        check(folder, bohr, [bohr, "cc"], "c")
        check(folder, bohr, [bohr, "c++"], "cpp")


main()
