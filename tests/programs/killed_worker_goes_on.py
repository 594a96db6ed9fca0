#!/usr/bin/env python3
"""Killing the worker at random moments, twenty times in one search, changes no count: what must
survive lies on the board, and the next worker goes on from there."""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

KILLS = 20
SAME = ["executions", "steps", "classes", "fingerprint", "per_bound", "complete", "verdict", "buggy",
        "cut", "max_steps", "max_points", "findings"]
SOURCE = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int sum;
static void *work(void *unused)
{
    for (int i = 0; i < 4; i++)
        atomic_fetch_add(&sum, 1);
    return unused;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
EXECUTIONS = 570417  # of dfs, by tests/support/count.py


def children(process):
    try:
        return [int(word) for word in
                pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def search(bohr, program, options, folder, kills):
    report = folder / "result.json"
    report.unlink(missing_ok=True)
    command = [bohr, "run", "-q", "--no-progress", "-o", folder / "out", "--json", report]
    process = subprocess.Popen(command + options + [program], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    killed, moments = 0, random.Random(1)
    while killed < kills and process.poll() is None:
        time.sleep(moments.uniform(0.005, 0.08))
        for worker in children(process.pid)[:1]:
            os.kill(worker, signal.SIGKILL)
            killed += 1
    output, _ = process.communicate(timeout=200)
    if process.returncode != 0 or not report.exists():
        sys.exit(f"FAIL {' '.join(map(str, command + options))}\n     killed     {killed} times\n"
                 f"     expected   exit status 0\n     actual     {process.returncode}\n{output}")
    return json.loads(report.read_text()), killed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bohr", default="build/bin/bohr")
    bohr = os.path.abspath(parser.parse_args().bohr)
    with tempfile.TemporaryDirectory(prefix="bohr-test-") as temporary:
        folder = pathlib.Path(temporary)
        source, program = folder / "t.c", folder / "t"
        source.write_text(SOURCE)
        subprocess.run([bohr, "cc", "-O1", "-o", program, source], check=True)
        for options in (["-s", "dfs"], ["-s", "preempt", "-b", "4"]):
            calm, _ = search(bohr, program, options, folder, 0)
            if options[1] == "dfs" and calm["executions"] != EXECUTIONS:
                sys.exit(f"FAIL undisturbed\n     expected   {EXECUTIONS} executions\n"
                         f"     actual     {calm['executions']}")
            shaken, killed = search(bohr, program, options, folder, KILLS)
            if options[1] == "dfs" and killed < KILLS:
                sys.exit(f"FAIL the search was over after {killed} of {KILLS} kills; make it longer")
            for name in SAME:
                if calm[name] != shaken[name]:
                    sys.exit(f"FAIL {' '.join(options)}, killed {killed} times\n"
                             f"     expected   {name} {calm[name]} (as undisturbed)\n"
                             f"     actual     {name} {shaken[name]}")


main()
