#!/usr/bin/env python3
"""What a person sees: on a terminal a line says how far the search has come, and it is gone at the end; in a
file, or if it is not wanted, there is none. The first command of the README shows a bug and how to see it again."""
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import termios

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
BEGIN = "\r\x1b[K"
LINE = re.compile(r"(\d+) executions(?:, \d+ found)?(?:, bound \d+)?, \d+ a second, (?:about )?(\d+) classes(.*), (\d+) s"
                  r"(?:, \d+ pending)?, depth (\d+)")
LONG = "10m"  # no search is meant to take so long
DEPTH = 3 + 3 * 20 + 3 + 1  # creates, additions, joins, exit


def on_terminal(command, columns=200, until=None, **variables):
    """Standard error as a terminal gets it. The search is interrupted once UNTIL(text) holds."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("CI", "TERM", "NO_COLOR")}
    process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=theirs, env={**environment, **variables})
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
        if until is not None and until(text.decode(errors="replace")):
            process.send_signal(signal.SIGINT)
            until = None
    os.close(ours)
    process.wait()
    return text.decode()


def lines_of(text):
    """What the line said, time after time; at the end it is gone."""
    if not text.endswith(BEGIN) or not text.startswith(BEGIN):
        fail("progress", expected="a line that is cleared at the end", actual=repr(text[-60:]))
    return text.split(BEGIN)[1:-1]


def progress_with(bench, program, strategy, workers, more):
    """The lines that a search showed until one of them had MORE in it, all of them as they should be."""
    command = [bench.bohr, "run", "-o", bench.folder / "out", "-s", strategy, "-j", workers, "-t", LONG, program]
    lines = lines_of(on_terminal(command, until=lambda text: more in text))
    found = [LINE.fullmatch(line) for line in lines]
    if not lines or None in found or any(int(line[5]) != DEPTH for line in found if int(line[1]) > 0):
        fail("progress", command=shown(command), actual=lines,
             expected=f"lines with executions, rate, classes, depth {DEPTH} and seconds")
    counts = [int(line[1]) for line in found]
    if counts != sorted(counts) or counts[-1] == 0:
        fail("progress", expected="executions that grow", actual=lines)
    if not any(more in line for line in lines):
        fail("progress", command=shown(command), expected=f"`{more}`", actual=lines)
    return lines


def progress(bench):
    program = bench.build("program", SOURCE)
    for strategy, workers, more in (("dfs", 1, " left "), ("random", 1, " new"), ("auto", 1, " leads"),
                                    ("dfs", 2, " left "), ("dpor", 2, " left "), ("random", 2, " new"),
                                    ("auto", 2, " leads")):
        lines = progress_with(bench, program, strategy, workers, more)
        print(f"ok   {strategy} -j {workers}: {len(lines)} times, {lines[-1]}")
    command = [bench.bohr, "run", "-o", bench.folder / "out", "-s", "auto", "-t", LONG, program]
    for columns in (80, 20, 8, 1):
        lines = lines_of(on_terminal(command, columns, lambda text: text.count(BEGIN) > 2, NO_COLOR="1"))
        if any(len(line) >= columns for line in lines) or (columns >= 20 and not all("executions" in each for each in lines)):
            fail(f"progress in {columns} columns", expected="lines that fit", actual=lines)
    print("ok   narrow terminals")
    short = [*command[:-2], "1s", program]
    for title, text in (("--no-progress", on_terminal([*short[:2], "--no-progress", *short[2:]])),
                        ("-q", on_terminal([*short[:2], "-q", *short[2:]])),
                        ("CI=true", on_terminal(short, CI="true")),
                        ("TERM=dumb", on_terminal(short, TERM="dumb")),
                        ("a file", run(short).errors)):
        if text:
            fail(f"progress with {title}", expected="nothing", actual=repr(text))
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
