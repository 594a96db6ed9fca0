#!/usr/bin/env python3
"""tools/corpus: its table has the published counts where the programs are the study's; a rerun
measures only what is missing; wrong options and programs that do not compile are said in one
sentence, with exit status 2, and what was measured is kept."""
import csv
import io
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

PROGRAMS = ["deadlock01", "lazy01", "token_ring"]
# Table 3 of the study: bound, all, new, buggy of IPB and of IDB; all, buggy of DFS.
PUBLISHED = {
    "deadlock01": (1, 12, 9, 2, 1, 9, 8, 1, 46, 3),
    "lazy01": (0, 13, 13, 6, 0, 1, 1, 1, 118, 81),
    "token_ring": (0, 24, 24, 4, 2, 29, 22, 3, 280, 57),
}
FIELDS = [f"{strategy}_{field}" for strategy in ("preempt", "delay")
          for field in ("bound", "all", "new", "buggy")] + ["dfs_all", "dfs_buggy"]


def command(bench, *words):
    return [ROOT / "tools" / "corpus", "--bohr", os.path.relpath(bench.bohr),
            "--corpus", bench.folder / "corpus", "--results", bench.folder / "results",
            "--jobs", "1", *words]


def measure(bench, *words, status=0):
    done = run(command(bench, *words))
    if done.status != status:
        fail("tools/corpus ends otherwise than it should", command=shown(done.command),
             expected=f"exit status {status}", actual=done.status, output=done.text())
    return done


def times(bench):
    return {path.name: path.stat().st_mtime_ns
            for path in (bench.folder / "results").glob("*.json")}


def check_table(bench):
    text = measure(bench, "-s", "preempt,delay,dfs", "-f", "csv").output
    rows = {row["program"]: row for row in csv.DictReader(io.StringIO(text))}
    for name in PROGRAMS:
        got = tuple(int(rows[name][field]) for field in FIELDS)
        if got != PUBLISHED[name]:
            fail("the table differs from the study's", program=name, fields=FIELDS,
                 expected=PUBLISHED[name], actual=got)


def check_resumes(bench):
    before = times(bench)
    gone = bench.folder / "results" / "lazy01.delay.json"
    gone.unlink()
    (bench.folder / "results" / "lazy01.dfs.json").write_text("{")  # as if killed while writing
    measure(bench, "-s", "preempt,delay,dfs")
    changed = sorted(name for name, time in times(bench).items() if before.get(name) != time)
    if changed != ["lazy01.delay.json", "lazy01.dfs.json"]:
        fail("a rerun does not measure exactly what is missing",
             expected="lazy01.delay.json, lazy01.dfs.json", actual=", ".join(changed) or "nothing")
    measure(bench, "-s", "preempt", "-n", "11", "-f", "markdown", "deadlock01")
    if times(bench)["deadlock01.preempt.json"] == before["deadlock01.preempt.json"]:
        fail("a measurement with another limit is taken over", expected="a new one",
             actual="the old one")


def check_seeds(bench):
    output = measure(bench, "-s", "random,pct", "--seeds", "5", "-f", "csv", "lazy01").output
    row = next(csv.DictReader(io.StringIO(output)))
    if not 1 <= float(row["random_first"]) <= 10:  # two in three executions show it
        fail("the mean over seeds cannot be right", expected="1 to 10", actual=row["random_first"])


def check_factor(bench):
    """Only `lazy01` is asked for, and shows its bug in the first execution, whatever the strategy."""
    output = measure(bench, "-s", "preempt,delay,auto", "--seeds", "2", "--first", "lazy01").output
    expected = ("auto against the best other strategy, executions to the first bug, 1 programs: median "
                "1.0, geometric mean 1.0, worst 1.0 (lazy01: 1, preempt 1)\n"
                "For 1 of 1 programs it is at most 5, or, where the best needs fewer than 3 executions, auto "
                "needs at most 20 more.\n")
    if not output.endswith("\n" + expected):
        fail("what auto costs beside the others", expected=expected, actual=output)


def check_wrong(bench, words, sentence):
    done = measure(bench, *words, status=2)
    if sentence not in done.errors or len(done.errors.strip().splitlines()) != 1:
        fail("a wrong option is not said in one sentence", command=shown(done.command),
             expected=sentence, actual=done.errors)
    return done


def check_bad_input(bench):
    check_wrong(bench, ["-s", "preempt,luck"], "there is no strategy 'luck'")
    check_wrong(bench, ["-s", ""], "there is no strategy ''")
    check_wrong(bench, ["--bound", "-1"], "--bound must be at least 0, not -1")
    check_wrong(bench, ["--limit", "0"], "--limit must be at least 1, not 0")
    check_wrong(bench, ["--seeds", "0"], "--seeds must be at least 1")
    check_wrong(bench, ["--doubt-seeds", "0"], "--doubt-seeds must be at least 1")
    check_wrong(bench, ["--jobs", "0"], "--jobs must be at least 1")
    check_wrong(bench, ["--first", "--page", bench.folder / "page.md"], "a page needs all counts")
    check_wrong(bench, ["nobody"], "there is no program 'nobody'")
    check_wrong(bench, ["--corpus", bench.folder / "nowhere"], "there is no folder")
    check_wrong(bench, ["--bohr", bench.folder / "nothing"], "there is no tool at")


def check_broken_program(bench):
    head = (ROOT / "corpus" / "lazy01.c").read_text().split("#include")[0]
    (bench.folder / "corpus" / "broken.c").write_text(head + "int main(void) { return nobody; }\n")
    done = check_wrong(bench, ["-s", "preempt", "-f", "csv"], "broken does not compile")
    names = [row["program"] for row in csv.DictReader(io.StringIO(done.output))]
    if names != PROGRAMS:
        fail("a program that does not compile hides others", expected=PROGRAMS, actual=names)
    (bench.folder / "corpus" / "broken.c").write_text("int main(void) { return 0; }\n")
    check_wrong(bench, ["-s", "preempt"], "broken.c: its head does not begin with what goes wrong")


def check(bench):
    (bench.folder / "corpus").mkdir()
    for name in PROGRAMS:
        shutil.copy(ROOT / "corpus" / f"{name}.c", bench.folder / "corpus")
    check_table(bench)
    check_resumes(bench)
    check_seeds(bench)
    check_factor(bench)
    check_bad_input(bench)
    check_broken_program(bench)


bench_run(check)
