#!/usr/bin/env python3
"""The projects in examples/projects are built and tested with the installed tool, as a stranger would: of the two
cases of each, push passes and pop fails with its report."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import SECONDS  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROJECTS = ROOT / "examples" / "projects"
NEEDS = {"googletest": ["gtest/gtest.h"], "catch2": ["catch2/catch.hpp"], "cmocka": ["cmocka.h"]}


def fail(what, expected, actual):
    sys.exit(f"FAIL {what}\n     expected   {expected}\n     actual     {actual}")


def call(command, folder, environment, status=0):
    done = subprocess.run([str(word) for word in command], cwd=folder, env=environment, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    if status is not None and done.returncode != status:
        fail(f"{folder.name}: {' '.join(map(str, command))}", f"exit status {status}",
             f"{done.returncode}\n{done.stdout}")
    return done.stdout


def is_missing(way):
    if way == "meson":
        return shutil.which("meson") is None
    if way == "pkg-config":
        return shutil.which("pkg-config") is None
    return any(not (pathlib.Path("/usr/include") / header).exists() for header in NEEDS.get(way, []))


def by_cmake(folder, prefix, environment, compilers):
    call(["cmake", "-G", "Ninja", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", *compilers], folder,
         environment)
    call(["cmake", "--build", "build"], folder, environment)
    text = call(["ctest", "--test-dir", "build", "--output-on-failure"], folder, environment, status=8)
    for case, verdict in (("push", "Passed"), ("pop", r"\*\*\*Failed")):
        if not re.search(rf"Test +#\d: {case} \.+ *{verdict}", text):
            fail(f"{folder.name}: {case}", verdict, text)
    return text


def by_meson(folder, environment):
    call(["meson", "setup", "build"], folder, environment)
    call(["meson", "test", "-C", "build", "--print-errorlogs"], folder, environment, status=1)
    text = (folder / "build" / "meson-logs" / "testlog.txt").read_text()
    if not re.search(r"Ok: +1\b", text) or not re.search(r"Fail: +1\b", text):
        fail("meson", "one case that passes and one that fails", text)
    return text


def by_make(folder, environment):
    call(["make", "stack_test"], folder, environment)
    text = call(["make", "check"], folder, environment, status=2)
    if "bohr run -o bohr-out/pop" not in text:
        fail("pkg-config", "push to pass, then pop to be run", text)
    return text


def check(way, home, prefix, environment, compilers=()):
    shutil.copytree(PROJECTS, home / f"{way}-all")
    folder = home / f"{way}-all" / way.split()[0]
    text = by_meson(folder, environment) if way == "meson" else by_make(folder, environment) \
        if way == "pkg-config" else by_cmake(folder, prefix, environment, compilers)
    if "stack.h:" not in text or "bohr replay" not in text:
        fail(f"{way}: the report", "one that names lines of stack.h, and how to replay it", text)
    print(f"ok   {way}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bohr-consumers-") as name:
        home = pathlib.Path(name)
        prefix = home / "prefix"
        environment = dict(os.environ, PATH=f"{prefix}/bin:{os.environ['PATH']}", NO_COLOR="1",
                           PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig")
        call(["cmake", "--install", arguments.build.resolve(), "--prefix", prefix], home, environment)
        skipped = []
        for way in ("cmake", "cmocka", "googletest", "catch2", "meson", "pkg-config"):
            if is_missing(way):
                skipped.append(way)
            else:
                check(way, home, prefix, environment)
        check("cmake clang", home, prefix, environment, ["-DCMAKE_C_COMPILER=clang"])
    if skipped:
        print(f"SKIP {', '.join(skipped)}: not installed here (make test-all installs them)")


main()
