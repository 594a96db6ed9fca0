#!/usr/bin/env python3
"""What a person sees: on a terminal a line says how far the search has come, and it is gone at the end; in a
file, or if it is not wanted, there is none. The first command of the README shows a bug and how to see it again."""
import os
import pathlib
import pty
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCE = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int sum;
static void *work(void *unused)
{
    for (int i = 0; i < 20; i++)
        sum++;
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
LINE = re.compile(r"\r\x1b\[K(\d+) executions, \d+ a second, depth (\d+)[^\r]*, (\d+) s")
DEPTH = 3 + 3 * 20 + 3 + 1  # creates, additions, joins, exit


def on_terminal(command):
    """Standard error as a terminal gets it."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
    os.close(ours)
    process.wait()
    return text.decode()


def progress(bench):
    program = bench.build("program", SOURCE)
    for strategy in ("dfs", "random"):
        command = [bench.bohr, "run", "-o", bench.folder / "out", "-s", strategy, "-t", "3s", program]
        text = on_terminal(command)
        lines = LINE.findall(text)
        if not lines or any(int(depth) != DEPTH for _, depth, _ in lines if depth != "0"):
            fail("progress", command=shown(command), actual=repr(text),
                 expected=f"lines with executions, rate, depth {DEPTH} and seconds")
        counts = [int(count) for count, _, _ in lines]
        if counts != sorted(counts) or counts[-1] == 0:
            fail("progress", expected="executions that grow", actual=counts)
        if not text.endswith("\r\x1b[K"):
            fail("progress", expected="a line that is cleared at the end", actual=repr(text[-60:]))
        print(f"ok   {strategy}: {len(lines)} times, {lines[-1][0]} executions")
    for quiet in ("--no-progress", "-q"):
        text = on_terminal([*command[:2], quiet, *command[2:-3], "-n", "20000", program])
        if text:
            fail(f"progress with {quiet}", expected="nothing", actual=repr(text))
    done = run(command[:-3] + ["-n", "20000", program])
    if done.errors:
        fail("progress in a file", expected="nothing", actual=repr(done.errors))
    print("ok   no line where none is wanted")


def demo(bench):
    """`make demo` after its build."""
    tool = bench.folder / "bin" / "bohr"
    tool.parent.mkdir()
    tool.symlink_to(bench.bohr)
    done = bench.must([ROOT / "tools" / "demo", tool], cwd=bench.folder)
    for words in ("$ bohr cc", "$ bohr run", "finding 1: a failed assertion", "run it again: bohr replay"):
        if words not in done.output:
            fail("the demonstration", expected=words, output=done.text())
    file = re.search(r"bohr replay (\S+)", done.output)[1]
    again = run([bench.bohr, "replay", file], cwd=ROOT)
    if again.status != 1 or "assertion" not in again.output:
        fail("the demonstration", expected="the command that it shows works from the same folder",
             actual=again.text())
    print("ok   the demonstration, and the replay that it names")


def check(bench):
    progress(bench)
    demo(bench)


bench_run(check)
