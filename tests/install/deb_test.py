#!/usr/bin/env python3
"""The Debian package is made, installed, used and removed, and leaves nothing behind. Only root can do that, and only
where no such package is installed already."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import SECONDS  # noqa: E402

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def fail(what, expected, actual):
    sys.exit(f"FAIL {what}\n     expected   {expected}\n     actual     {actual}")


def skip(why):
    print(f"SKIP {why}")
    sys.exit(SKIPPED)


def call(command, status=0, folder=None):
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True, errors="replace", timeout=SECONDS,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != status:
        fail(" ".join(map(str, command)), f"exit status {status}", f"{done.returncode}\n{done.stdout}")
    return done.stdout


def use(folder):
    """With what is installed only."""
    shutil.copy(ROOT / "examples" / "lost_update.c", folder)
    call(["bohr", "cc", "-o", "lost_update", "lost_update.c"], folder=folder)
    text = call(["bohr", "run", "./lost_update"], 1, folder)
    if "finding 1" not in text or shutil.which("bohr") != "/usr/bin/bohr":
        fail("the installed tool", "a finding, by /usr/bin/bohr", f"{shutil.which('bohr')}: {text}")
    flags = call(["pkg-config", "--libs", "bohr"])
    if "lib/bohr" not in flags:
        fail("pkg-config --libs bohr", "our library", flags)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build", type=pathlib.Path)
    build = parser.parse_args().build.resolve()
    if os.geteuid() != 0 or shutil.which("dpkg-shlibdeps") is None:
        skip("packages are made and installed by root, with dpkg-dev")
    if shutil.which("bohr") is not None:
        skip("bohr is installed here already")
    with tempfile.TemporaryDirectory(prefix="bohr-deb-") as name:
        home = pathlib.Path(name)
        call(["cpack", "--config", build / "CPackConfig.cmake", "-G", "DEB", "-B", home / "packages"], folder=build)
        package, = (home / "packages").glob("*.deb")
        files = [line.split()[5].removeprefix(".") for line in call(["dpkg-deb", "-c", package]).splitlines()]
        call(["dpkg", "-i", package])
        try:
            use(home)
        finally:
            call(["dpkg", "--purge", "bohr"])
        left = [file for file in files if "bohr" in file and os.path.lexists(file)]
        if left:
            fail("dpkg --purge bohr", "nothing left", left)
    print(f"ok   {package.name}: {len(files)} files and folders came and went")


main()
