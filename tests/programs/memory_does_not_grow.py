#!/usr/bin/env python3
"""A million executions of dfs in one worker: its memory is the same after 10,000 executions and at
the end (within 10 %), and a sample of resets is compared byte by byte."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = """
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *last;
static void *work(void *unused)
{
    for (int i = 0; i < 4; i++) {
        char *block = malloc(100);
        pthread_mutex_lock(&mutex);
        free(last);
        last = block;
        pthread_mutex_unlock(&mutex);
    }
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


def search(bohr, program, folder, options):
    report = folder / "result.json"
    report.unlink(missing_ok=True)
    command = [bohr, "run", "-q", "--no-progress", "-s", "dfs", "--isolate", "reset",
               "-o", folder / "out", "--json", report] + options + [program]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"FAIL {' '.join(map(str, command))}\n     expected   exit status 0\n"
                 f"     actual     {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(report.read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bohr", default="build/bin/bohr")
    bohr = os.path.abspath(parser.parse_args().bohr)
    with tempfile.TemporaryDirectory(prefix="bohr-test-") as temporary:
        folder = pathlib.Path(temporary)
        source, program = folder / "t.c", folder / "t"
        source.write_text(SOURCE)
        subprocess.run([bohr, "cc", "-O1", "-o", program, source], check=True)
        early = search(bohr, program, folder, ["-n", "10000"])
        late = search(bohr, program, folder, ["-n", "1000000", "--verify", "5000"])
        if late["executions"] != 1_000_000 or late["verified"] < 150:
            sys.exit(f"FAIL expected 1,000,000 executions and at least 150 comparisons, actual "
                     f"{late['executions']} and {late['verified']}")
        if late["peak_bytes"] > early["peak_bytes"] * 1.1:
            sys.exit(f"FAIL expected a peak within 10 % of {early['peak_bytes']} bytes (after 10,000 "
                     f"executions), actual {late['peak_bytes']}")


main()
