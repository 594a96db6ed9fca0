#!/usr/bin/env python3
"""An ordinary user gets the same counts as root, in every isolation mode: where the system keeps
userfaultfd from them, reset goes on with page protection by itself."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NOBODY = 65534
SOURCE = pathlib.Path(__file__).resolve().parent / "lock_unlock_2x3.c"
MODES = [[], ["--isolate", "reset"], ["--isolate", "reset", "--tracking", "protect"],
         ["--isolate", "fork"], ["--isolate", "fork", "--carrier", "kernel"]]


def become_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bohr", default="build/bin/bohr", type=pathlib.Path)
    built = parser.parse_args().bohr.resolve()
    with tempfile.TemporaryDirectory(prefix="bohr-test-") as temporary:
        folder = pathlib.Path(temporary)
        (folder / "bin").mkdir()
        bohr = pathlib.Path(shutil.copy(built, folder / "bin" / "bohr"))
        shutil.copytree(built.parent.parent / "lib" / "bohr", folder / "lib" / "bohr", symlinks=True)
        shutil.copytree(built.parent.parent / "include", folder / "include")
        subprocess.run([bohr, "cc", "-O1", "-o", folder / "program", SOURCE], check=True)
        as_user = {}
        if os.getuid() == 0:
            as_user["preexec_fn"] = become_nobody
            for path in [folder, *folder.rglob("*")]:
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        for options in MODES:
            command = [bohr, "run", "-q", "--no-progress", "-s", "dfs", "--json", "result.json",
                       *options, "./program"]
            done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **as_user)
            if done.returncode != 0:
                sys.exit(f"FAIL {' '.join(map(str, command))}\n     expected   exit status 0\n"
                         f"     actual     {done.returncode}\n{done.stdout}")
            result = json.loads((folder / "result.json").read_text())
            if result["executions"] != 156 or not result["complete"]:
                sys.exit(f"FAIL {' '.join(options)}\n     expected   156 executions, complete\n"
                         f"     actual     {result['executions']}, {result['complete']}")


main()
