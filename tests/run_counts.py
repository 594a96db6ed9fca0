#!/usr/bin/env python3
"""Executions counted by the tool and by tests/support/count.py, for a family of small programs.

T threads do K times lock, unlock (or one atomic addition); main creates and joins them. `dfs` must
run exactly the interleavings that exist (of three threads up to K = 4: with K = 5 there are 13 and 72
million; `make test` leaves out searches of more than 200,000), `preempt` exactly those with 0 to 4 preemptions, `delay`
those with 0 to 4 delays.
"""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
import count  # noqa: E402
import tier  # noqa: E402

DFS_MAX = tier.by_tier(20_000, 200_000, 4_000_000)  # interleavings: a search that has more of them is left out
BOUND = 4
KNOWN = {  # from the design, so that the counter itself is held to something
    ("locks", 2, 1): 10, ("locks", 2, 2): 42, ("locks", 2, 3): 156, ("locks", 2, 4): 570,
    ("locks", 2, 5): 2096, ("locks", 3, 1): 184,
}
KNOWN_BOUNDS = {("locks", 2, 2): [3, 10, 22], ("locks", 2, 5): [3, 25, 112]}
OPERATION = {
    "locks": "pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex);",
    "atomics": "__atomic_fetch_add(&sum, 1, __ATOMIC_SEQ_CST);",
}


def source(family, threads, repeats):
    return f"""#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int sum;
static void *work(void *unused)
{{
    {OPERATION[family] * repeats}
    return unused;
}}
int main(void)
{{
    pthread_t threads[{threads}];
    for (int i = 0; i < {threads}; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < {threads}; i++)
        pthread_join(threads[i], NULL);
    return 0;
}}
"""


class Checker:
    def __init__(self, bohr, folder):
        self.bohr, self.folder, self.failed = bohr, folder, 0

    def expect(self, name, expected, actual, again):
        if expected == actual:
            return
        self.failed += 1
        print(f"FAIL {name}\n     expected   {expected}\n     actual     {actual}\n"
              f"     again      {again}")

    def build(self, family, threads, repeats):
        program = self.folder / f"{family}-{threads}-{repeats}"
        code = program.with_suffix(".c")
        code.write_text(source(family, threads, repeats))
        subprocess.run([self.bohr, "cc", "-O1", "-o", program, code], check=True)
        return program

    def run(self, name, program, options):
        report = self.folder / "result.json"
        report.unlink(missing_ok=True)
        command = [self.bohr, "run", "--no-progress", "-q", "--no-explain", "-o", str(self.folder / "out"),
                   "--json", str(report)] + options + [str(program)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        again = shlex.join(command)
        self.expect(name + ": exit status", 0, done.returncode, again + "\n" + done.stderr)
        return (json.loads(report.read_text()) if report.exists() else {}), again

    def check(self, family, threads, repeats):
        name = f"{family} {threads}x{repeats}"
        counted = getattr(count, family)(threads, repeats)
        counted = count.count(counted)
        total = sum(counted.values())
        key = family, threads, repeats
        self.expect(name + " (counter)", KNOWN.get(key, total), total, "tests/support/count.py")
        cumulative = [sum(counted[p] for p in range(bound + 1)) for bound in range(BOUND + 1)]
        self.expect(name + " (counter)", KNOWN_BOUNDS.get(key, cumulative[:3]), cumulative[:3],
                    "tests/support/count.py")
        program = self.build(family, threads, repeats)
        if total <= DFS_MAX:
            result, again = self.run(name, program, ["-s", "dfs"])
            self.expect(f"dfs {name}", (total, True, "all"),
                        (result.get("executions"), result.get("complete"),
                         result.get("claim", {}).get("kind")), again)
        result, again = self.run(name, program, ["-s", "preempt", "-b", str(BOUND)])
        rows = {row["bound"]: row["executions"] for row in result.get("per_bound", [])}
        self.expect(f"preempt {name}", [counted[bound] for bound in range(BOUND + 1)],
                    [rows.get(bound, 0) for bound in range(BOUND + 1)], again)
        self.expect(f"preempt {name}", (cumulative[BOUND], True),
                    (result.get("executions"), result.get("complete")), again)
        for bound in range(2):
            result, again = self.run(name, program, ["-s", "preempt", "-b", str(bound)])
            self.expect(f"preempt {name} -b {bound}", cumulative[bound],
                        result.get("executions"), again)
        self.check_delays(family, threads, repeats, program)

    def check_delays(self, family, threads, repeats, program):
        name = f"delay {family} {threads}x{repeats}"
        counted = count.count(getattr(count, family)(threads, repeats), count.delays)
        result, again = self.run(name, program, ["-s", "delay", "-b", "4"])
        rows = {row["bound"]: row["executions"] for row in result.get("per_bound", [])}
        self.expect(name, [counted[bound] for bound in range(5)],
                    [rows.get(bound, 0) for bound in range(5)], again)
        self.expect(name, True, result.get("complete"), again)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bohr", default="build/bin/bohr")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bohr-test-") as folder:
        checker = Checker(os.path.abspath(arguments.bohr), pathlib.Path(folder))
        for family in OPERATION:
            for threads in (1, 2, 3):
                for repeats in range(1, 6):
                    checker.check(family, threads, repeats)
    sys.exit(1 if checker.failed else 0)


main()
