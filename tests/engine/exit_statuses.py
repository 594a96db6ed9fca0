#!/usr/bin/env python3
"""The exit statuses of `bohr run`: 2 for a bad --expect-exit, 130 for an interrupted search, which reports first what
it has found."""
import argparse
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import SECONDS  # noqa: E402

PROGRAM = r"""
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static atomic_int value;
static void *run(void *unused)
{
    for (int i = 0; i < 20; i++)
        value++;
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t threads[2];
    int file = open(argv[1], O_CREAT | O_WRONLY | O_APPEND, 0600);
    write(file, "x", 1);
    close(file);
    pthread_create(&threads[0], 0, run, 0);
    pthread_create(&threads[1], 0, run, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return argc > 2 ? 4 : 0;
}
"""


def fail(what, expected, actual):
    print(f"FAIL {what}\n     expected   {expected}\n     actual     {actual}")
    sys.exit(1)


class Bench:
    def __init__(self, bohr, folder):
        self.bohr, self.folder = bohr, folder
        source, self.program = folder / "p.c", folder / "p"
        source.write_text(PROGRAM)
        subprocess.run([bohr, "cc", "-O1", "-o", self.program, source], check=True)

    def bad_values(self):
        for value in ("256", "-1", "foo", "", "1x", "0x1", "any "):
            done = subprocess.run([self.bohr, "run", "--expect-exit", value, self.program, self.folder / "f"],
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL)
            if done.returncode != 2 or done.stdout or done.stderr.count("\n") != 1 or "--expect-exit" not in done.stderr:
                fail(f"--expect-exit '{value}'", "exit status 2 and one sentence", (done.returncode, done.stdout, done.stderr))
        print("ok   bad values of --expect-exit")

    def interrupted(self, name, options, arguments, finds):
        started, report = self.folder / "started", self.folder / "result.json"
        for path in (started, report):
            path.unlink(missing_ok=True)
        process = subprocess.Popen([self.bohr, "run", "--no-progress", "--json", report, "-o", self.folder / "out", *options,
                                    self.program, started, *arguments], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not started.exists() or started.stat().st_size < 5:  # executions have ended
            if process.poll() is not None:
                fail(name, "a search that goes on", f"exit status {process.returncode}")
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        status = process.wait(timeout=SECONDS)
        result = json.loads(report.read_text())
        if status != 130 or ("exit" in {f["kind"] for f in result["findings"]}) != finds:
            fail(name, f"exit status 130, {'a' if finds else 'no'} wrong status",
                 (status, [f["kind"] for f in result["findings"]]))
        print(f"ok   {name}: {result['executions']} executions")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bohr", required=True)
    with tempfile.TemporaryDirectory(prefix="bohr-test-") as name:
        bench = Bench(parser.parse_args().bohr, pathlib.Path(name))
        bench.bad_values()
        bench.interrupted("interrupted, nothing found", ["-s", "dfs"], [], False)
        bench.interrupted("interrupted by two workers", ["-s", "random", "-j", "2"], [], False)
        bench.interrupted("interrupted after a finding", ["-s", "random", "-k"], ["wrong"], True)


main()
