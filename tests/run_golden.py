#!/usr/bin/env python3
"""Reports as text, compared with tests/golden. Times and rates are left out; thread and object numbers
are part of the text. The README shows one of them. --update rewrites the files; the diff is read like code."""
import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
RUNS = {  # file in tests/golden: source, options of bohr run, arguments of the program
    "bank_transfer": ("examples/bank_transfer.c", [], []),
    "lock_order": ("examples/lock_order.c", [], []),
    "lost_update": ("examples/lost_update.c", [], []),
    "lost_update-keep-going": ("examples/lost_update.c", ["-s", "dfs", "-k"], []),
    "lost_update-full": ("examples/lost_update.c", ["--races", "off", "--full"], []),
    "ring_queue": ("examples/ring_queue.c", [], []),
    "ring_queue-fixed": ("examples/ring_queue.c", [], []),
    "reference_count": ("examples/reference_count.c", [], []),
    "atomicity": ("tests/programs/atomicity.c", ["-s", "preempt", "-b", "1", "--detect", "atomicity"], []),
    "crash": ("corpus/radbench_bug3.c", ["--exit", "wait"], []),
    "deadlock-of-waits": ("corpus/barrier_reuse.c", ["--races", "off"], []),
    "double-free": ("corpus/double_close.c", ["--races", "off"], []),
    "exit": ("tests/programs/exit_status.c", ["-s", "dfs", "--expect-exit", "0"], []),
    "invalid-free": ("tests/programs/heap_wrong_free.c", ["-s", "dfs"], ["inside"]),
    "leak": ("tests/programs/heap_leak.c", ["-s", "preempt", "--detect", "leak"], ["sometimes"]),
    "livelock": ("corpus/mcs_lock.c", [], []),
    "lock-order": ("tests/programs/lock_order.c", ["-s", "random", "-n", "1"], ["flag"]),
    "lockset": ("tests/programs/lockset.c", ["-s", "dfs", "-k", "--races", "off", "--detect", "lockset"],
                ["different"]),
    "lost-wakeup": ("corpus/lost_wakeup.c", [], []),
    "misuse": ("corpus/ctrace.c", ["--races", "off", "--exit", "wait"], []),
    "no-debug-information": ("corpus/if_not_while.c", ["-s", "preempt"], []),
    "out-of-bounds": ("tests/programs/heap_out_of_bounds.c", ["-s", "dfs"], ["write-behind"]),
    "uncaught-exception": ("tests/programs/uncaught_exception.cpp", ["-s", "dfs"], []),
    "uninitialised": ("tests/programs/heap_uninitialised.c", ["-s", "dfs", "--detect", "uninitialised"],
                      []),
    "use-after-return": ("tests/programs/stack_of_ended_thread.c", [], []),
}
README_SHOWS = "lock_order"  # after the line with its command
PAGES_SHOW = {  # blocks of output of these pages, one after the other, are part of these reports
    "docs/explain.md": ["lost_update"],
    "docs/tutorial.md": ["lost_update", "lock_order", "ring_queue", "ring_queue-fixed"],
}
FLAGS = {"no-debug-information": ["-g0"], "ring_queue-fixed": ["-DFIXED"]}


def plain(text, folder):
    """Without what differs from one machine or moment to the next."""
    text = text.replace(str(folder) + "/", "").replace(str(ROOT) + "/", "")
    text = re.sub(r"0x[0-9a-f]{5,}", "ADDRESS", text)
    text = re.sub(r"\bin [\d.]+ s( \(\d+ a second\))?", "in TIME", text)
    lines = [line.rstrip() for line in text.splitlines()]
    # Frames of libraries, and folded ones among them, are another machine's own.
    lines = [line for line in lines
             if not re.match(r"    .* (in \S+\.so\.\S+|at (/usr/|\.\./|\./)\S+)$|    … \d+ more$", line)]
    return "\n".join(lines) + "\n"


def report(bohr, name, folder):
    source, options, arguments = RUNS[name]
    program = folder / pathlib.Path(source).stem
    compiler = "cc" if source.endswith(".c") else "c++"
    subprocess.run([bohr, compiler, "-O1", *FLAGS.get(name, []), "-o", program, source], check=True,
                   cwd=ROOT)
    done = subprocess.run([bohr, "run", "--no-progress", *options, f"./{program.name}", *arguments],
                          cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=dict(os.environ, NO_COLOR="1"))
    return plain(done.stdout + done.stderr + f"exit status {done.returncode}\n", folder)


def readme_check(golden, update):
    """The report that the README shows is what comes out now, but for the time."""
    path = ROOT / "README.md"
    before, command, rest = path.read_text().partition(f"$ bohr run ./{README_SHOWS}\n")
    shown, fence, after = rest.partition("```\n")
    wanted = golden.partition("exit status ")[0]
    if plain(shown, ROOT) == wanted:
        return True
    if update:
        timed = wanted.replace(" in TIME", " in 0.01 s")
        path.write_text(before + command + timed + fence + after)
    else:
        print(f"FAIL README.md\n     expected   the report of {README_SHOWS} as it is in tests/golden\n"
              f"     again      make golden, then git diff README.md")
    return update


def page_check(name, golden):
    for page, names in PAGES_SHOW.items():
        blocks = (ROOT / page).read_text().split("```\n")[1::2]
        for block in (block for block, shown in zip(blocks, names) if shown == name):
            if block not in golden:
                print(f"FAIL {page}\n     expected   a part of tests/golden/{name}.txt\n     actual     {block}")
                return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bohr", default="build/bin/bohr")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", metavar="NAME")
    arguments = parser.parse_args()
    bohr = os.path.abspath(arguments.bohr)
    failed = 0
    GOLDEN.mkdir(exist_ok=True)
    for name in RUNS:
        if arguments.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory(prefix="bohr-test-") as folder:
            actual = report(bohr, name, pathlib.Path(folder))
        golden = GOLDEN / f"{name}.txt"
        if name == README_SHOWS and not readme_check(actual, arguments.update):
            failed += 1
        if not page_check(name, actual):
            failed += 1
        if arguments.update:
            golden.write_text(actual)
            continue
        expected = golden.read_text() if golden.exists() else ""
        if actual != expected:
            failed += 1
            source, options, rest = RUNS[name]
            print(f"FAIL {name}\n     program    {' '.join([*options, source, *rest])}\n"
                  f"     again      make golden, then git diff tests/golden")
            sys.stdout.writelines(difflib.unified_diff(
                expected.splitlines(True), actual.splitlines(True), "expected", "actual"))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
