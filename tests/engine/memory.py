#!/usr/bin/env python3
"""--memory: pending executions are in a file beyond the limit, and nothing changes but the memory
that it takes: not with several workers, not over restarts. The file has no name, so that nothing is
left behind; if it cannot be made, one sentence says so, and if it cannot grow, the search goes on without what found no
space and claims nothing. `make test` takes a sample of the searches."""
import itertools
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tools")]
import corpus_program  # noqa: E402
import tier  # noqa: E402
from engine import (bench_run, command_start, fail, kill_group, run,  # noqa: E402
                    sentence_of, shown, wait_until, workers_computed)

LOCKS = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&mutex);
        sum++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    RACE;
    return 0;
}
"""
SEARCHES = [["preempt", "-b", "4"], ["delay", "-b", "6"], ["depth", "-b", "14"],
            ["preempt", "-b", "3", "--cache"], ["preempt", "-b", "4", "-j", "3"],
            ["auto", "-b", "3", "-n", "20000"]]


def same_counts(bench):
    program = bench.build("locks", LOCKS, ["-DTHREADS=3", "-DROUNDS=4", "-DRACE="])
    for search in tier.sample("memory", SEARCHES, 3):
        options = ["-s", *search]
        free = bench.explore(options, program)
        tight = bench.explore([*options, "--memory", "1"], program)
        title = f"{' '.join(search)} with little memory"
        bench.compare(title, free, tight)
        if free["claim"] != tight["claim"]:
            fail(title, expected=free["claim"], actual=tight["claim"])
        if free["lost"] != 0 or tight["lost"] != 0:
            fail(title, expected="nothing lost", actual=(free["lost"], tight["lost"]))
        if free["spilled_bytes"] != 0 or tight["spilled_bytes"] == 0:
            fail(title, expected="bytes that were spilled with the limit only",
                 actual=(free["spilled_bytes"], tight["spilled_bytes"]))
        if not any("--memory" in note for note in tight["notes"]):
            fail(title, expected="a note", actual=tight["notes"])
        plenty = bench.explore([*options, "--memory", "8G"], program)
        bench.compare(f"{title}, with plenty", free, plenty)
        if plenty["spilled_bytes"] != 0:
            fail(title, expected="nothing spilled below the limit", actual=plenty["spilled_bytes"])


def restarts(bench):
    program = bench.build("races", LOCKS.replace("sum++;", "").replace("return unused", "sum++; return unused"),
                          ["-DTHREADS=3", "-DROUNDS=2", "-DRACE="])
    options = ["-s", "preempt", "-b", "2", "-k"]
    free = bench.explore(options, program, status=1)
    tight = bench.explore([*options, "--memory", "1"], program, status=1)
    bench.compare("restarts with little memory", free, tight)
    if free["restarts"] == 0:
        fail("restarts", expected="at least one", actual=0)


def takes_less(bench):
    program = bench.build("large", LOCKS, ["-DTHREADS=4", "-DROUNDS=6", "-DRACE="])
    options = ["-s", "preempt", "-n", "1000000"]
    free = bench.explore(options, program)
    tight = bench.explore([*options, "--memory", "1M"], program)
    bench.compare("a large search with little memory", free, tight)
    spilled, saved = tight["spilled_bytes"], free["peak_bytes"] - tight["peak_bytes"]
    if spilled < 2_000_000 or saved < spilled / 2:
        fail("a large search with little memory", expected=f"about {spilled} bytes less",
             actual=f"{saved} bytes less")


def holds_file_in(process, folder):
    """The tool has a file of that folder open."""
    try:
        files = [os.readlink(file) for file in pathlib.Path(f"/proc/{process.pid}/fd").iterdir()]
    except OSError:
        return False
    return any(file.startswith(f"{folder}/") for file in files)


def leaves_nothing(bench):
    program = bench.folder / "large"
    folder = bench.folder / "tmp"
    folder.mkdir()
    environment = dict(os.environ, TMPDIR=str(folder))
    bench.explore(["-s", "preempt", "-n", "20000", "--memory", "1"], program, env=environment)
    if any(folder.iterdir()):
        fail("files after a search", expected="none", actual=list(folder.iterdir()))
    command, _ = bench.command(["-s", "preempt", "--memory", "1"], program)
    process = command_start(command, env=environment)
    wait_until("a file without a name for what is spilled", lambda: holds_file_in(process, folder), process)
    wait_until("a search under way", lambda: workers_computed(process, 0.3), process)
    kill_group(process)
    process.communicate()
    if any(folder.iterdir()):
        fail("files after a death", expected="none", actual=list(folder.iterdir()))
    environment["TMPDIR"] = str(bench.folder / "nowhere")
    expect_sentence(bench, program, environment, "cannot make a file for --memory (TMPDIR)")


def expect_sentence(bench, program, environment, text):
    command, _ = bench.command(["-s", "preempt", "--memory", "1"], program)
    done = run(command, env=environment)
    if done.status != 2 or text not in done.errors or len(sentence_of(done.errors).splitlines()) != 1:
        fail("a file that cannot be used", command=shown(command),
             expected=f"exit status 2 and one sentence with: {text}", actual=done.status,
             output=done.text())


MOUNT = 'mount -t tmpfs -o size="$1" tmpfs "$0" && shift && exec "$@"'
FULL = [(["preempt"], 40000, "256k"), (["delay"], 40000, "256k"), (["depth"], 40000, "256k"), (["best"], 10000, "512k"),
        (["preempt", "-j", "2"], 60000, "256k"), (["depth", "-j", "2"], 60000, "512k"), (["auto"], 40000, "512k"),
        (["auto", "-j", "2"], 40000, "1m")]


def small_disk(folder):
    """The words before a command that give it a small disk of its own; a user without rights gets them in a namespace."""
    for rights in (["--user", "--map-root-user"], []):
        words = ["unshare", *rights, "--mount", "sh", "-c", MOUNT, str(folder)]
        if shutil.which("unshare") and subprocess.run([*words, "1m", "true"], capture_output=True).returncode == 0:
            return words
    return None


def full_disk(bench):
    folder = bench.folder / "small"
    folder.mkdir()
    disk = small_disk(folder)
    if disk is None:
        print("skip a full disk: there are no namespaces for mounts here")
        return
    for search, executions, size in tier.sample("full disk", FULL, 4):
        command, report = bench.command(["-s", *search, "-n", executions, "--memory", "1"], bench.folder / "large")
        result = bench.result(run([*disk, size, *command], env=dict(os.environ, TMPDIR=str(folder))), report)
        said = f"{result['lost']} executions and all that would have followed dropped, as no space was left"
        if (result["executions"] != executions or result["lost"] == 0 or result["claim"]["kind"] != "nothing" or
                said not in result["claim"]["text"]):
            fail(f"{' '.join(search)} on a full disk", expected=f"{executions} executions, and a claim that says: {said}",
                 actual=f"{result['executions']} executions, {result['claim']}")
    print(f"ok   {len(FULL)} searches go on where a disk is full")


EACH, STACKS = 16, 2048  # bytes for an execution that waits; and for the stacks that they are on
FEW = [["preempt"], ["delay"], ["depth"], ["best"], ["best", "-b", "2"]]


def waits_in_little(bench):
    """At several moments of searches of real programs. Those of rand have 64 stacks, the others a few."""
    corpus = {program.name: program for program in corpus_program.read_corpus(ROOT / "corpus")}
    for name in ("ferret", "qsort_mt", "seqlock", "reorder_4"):
        program, binary = corpus[name], bench.folder / name
        program.build(bench.bohr, "gcc", binary)
        for search, executions in tier.sample(name, itertools.product(FEW, ("60", "600", "3000")), 4):
            options = ["-q", "--no-shrink", "-k", "-s", *search, "-n", executions, *program.options]
            result = bench.explore(options, binary, program.arguments)
            most = EACH * result["waiting"] + STACKS
            if result["waiting_bytes"] > most or (result["waiting"] == 0) != (result["waiting_bytes"] == 0):
                fail(f"{name}: {' '.join(search)} after {executions}", expected=f"at most {most} bytes",
                     actual=f"{result['waiting_bytes']} for {result['waiting']} that wait")
    print("ok   what waits takes at most 16 bytes each")


def check(bench):
    waits_in_little(bench)
    same_counts(bench)
    restarts(bench)
    takes_less(bench)
    leaves_nothing(bench)
    full_disk(bench)


bench_run(check)
