#!/usr/bin/env python3
"""Installs the tool to a new prefix and uses it as a stranger would: on their project, through make,
a configure script and CMake, with nothing of the build folder in sight."""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import SECONDS  # noqa: E402

STRANGER = pathlib.Path(__file__).resolve().parent / "stranger"


def fail(what, expected, actual):
    sys.exit(f"FAIL {what}\n     expected   {expected}\n     actual     {actual}")


def call(command, folder, environment, status=(0,)):
    result = subprocess.run(command, cwd=folder, env=environment, text=True, errors="replace",
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    if result.returncode not in status:
        fail(shlex.join(map(str, command)), f"exit status {' or '.join(map(str, status))}",
             f"exit status {result.returncode}\n{result.stdout}")
    return result.stdout


def project(home, way):
    return pathlib.Path(shutil.copytree(STRANGER, home / way))


def finds_bug(way, folder, program, environment):
    result = folder / "result.json"
    report = call(["bohr", "run", "--json", result, f"./{program}"], folder, environment, status=(1,))
    finding = json.loads(result.read_text())["findings"][0]
    if finding["kind"] != "assertion" or not finding["file"].endswith(
            program.replace("_cpp", ".cpp") if "_cpp" in program else program + ".c"):
        fail(f"{way}: {program}", "an assertion in the test's source", finding)
    if "mailbox.c" not in report:
        fail(f"{way}: {program}", "a report that shows lines of mailbox.c", report)
    replayed = call(["bohr", "replay", finding["replay"]], folder, environment, status=(1,))
    if "assertion" not in replayed:
        fail(f"{way}: replay", "the assertion", replayed)


def debugs(folder, environment):
    """The commands of gdb come from where they were installed."""
    if shutil.which("gdb") is None:
        return
    replay = next((folder / "bohr-out").glob("assertion-*.bohr"))
    for command in (["bohr", "replay", "--gdb", replay], ["bohr-gdb", replay]):
        done = subprocess.run(command, cwd=folder, env=environment, text=True, errors="replace", timeout=SECONDS,
                              input="bohr threads\nbohr why\nkill\nquit\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if "T0  (thread 1)" not in done.stdout:
            fail(shlex.join(map(str, command)), "gdb with the commands of bohr", done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bohr-install-") as folder:
        home = pathlib.Path(folder)
        prefix = home / "prefix"
        environment = dict(os.environ, PATH=f"{prefix}/bin:{os.environ['PATH']}", NO_COLOR="1")
        call(["cmake", "--install", arguments.build.resolve(), "--prefix", prefix], home, environment)
        for name in ("bin/bohr", "bin/bohr-cc", "bin/bohr-c++", "bin/bohr-gdb", "lib/bohr/libtsan.so.2",
                     "include/bohr.h", "include/bohr_calls.h", "lib/bohr/libtsan.so", "lib/bohr/libtsan_preinit.o", "lib/bohr/bohr-gdb.py",
                     "share/doc/bohr/README.md", "share/man/man1/bohr.1", "share/man/man1/bohr-run.1",
                     "share/bash-completion/completions/bohr", "share/zsh/site-functions/_bohr",
                     "share/fish/vendor_completions.d/bohr.fish", "lib/pkgconfig/bohr.pc",
                     "lib/cmake/bohr/bohrConfig.cmake"):
            if not (prefix / name).exists():
                fail("install", f"PREFIX/{name}", "no such file")

        by_make = project(home, "make")
        call(["make", "CC=bohr-cc", "CXX=bohr-c++"], by_make, environment)
        by_configure = project(home, "configure")
        call(["./configure"], by_configure, dict(environment, CC="bohr-cc", CXX="bohr-c++"))
        call(["make"], by_configure, environment)
        by_cmake = project(home, "cmake")
        call(["cmake", "-S", ".", "-B", ".", "-DCMAKE_C_COMPILER=bohr-cc",
              "-DCMAKE_CXX_COMPILER=bohr-c++", "-DCMAKE_BUILD_TYPE=Debug"], by_cmake, environment)
        call(["cmake", "--build", "."], by_cmake, environment)

        for way, built in (("make", by_make), ("configure", by_configure), ("cmake", by_cmake)):
            for program in ("mailbox_test", "mailbox_test_cpp"):
                # It also runs without bohr, where its bug may show by chance.
                call([f"./{program}"], built, environment, status=(0, -signal.SIGABRT))
                finds_bug(way, built, program, environment)
        debugs(by_make, environment)


main()
