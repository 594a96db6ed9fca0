#!/usr/bin/env python3
"""Programs of the corpus: at each bound up to 2, bpor shows the classes and findings that preempt shows, and
it needs no more executions than preempt, but for what it repeats at each bound. `make test` takes five of them."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tools")]
import corpus_program  # noqa: E402
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402

BOUND = 2
PROGRAMS = ["account", "bounded_buffer", "bounded_buffer_fixed", "carter01", "circular_buffer", "din_phil3",
            "philosophers", "philosophers_fixed", "qsort_mt", "queue", "reorder_4", "stack"]


def search(bench, strategy, program, binary):
    options = ["-s", strategy, "-b", BOUND, "-k", "--races", "warn", *program.options]
    result = bench.explore(options, binary, program.arguments)
    rows = {row["bound"]: row for row in result["per_bound"]}
    classes = [rows[bound]["classes"] if bound in rows else 0 for bound in range(BOUND + 1)]
    findings = sorted((f["kind"], f["message"], f["line"] or 0, f["preemptions"])
                      for f in result["findings"])
    executions = sum(row["executions"] for row in rows.values()) + result["cut"]
    last = rows[max(rows)]["executions"]
    return [classes, findings, result["complete"]], executions, last


def check(bench):
    corpus = {program.name: program for program in corpus_program.read_corpus(ROOT / "corpus")}
    total_plain = total_reduced = 0
    for name in tier.sample("corpus_bounded", PROGRAMS, 5):
        program, binary = corpus[name], bench.folder / name
        program.build(bench.bohr, "gcc", binary)
        wanted, plainly, _ = search(bench, "preempt", program, binary)
        got, reduced, last = search(bench, "bpor", program, binary)
        if wanted != got:
            fail(name, options=shown(["-s", "bpor", "-b", BOUND, "-k"]), expected=wanted, actual=got)
        classes = sum(wanted[0])
        most = plainly - 1 if plainly > classes else plainly
        if not classes <= last <= most:
            fail(f"{name}: the reduction reduces nothing, or too much", actual=last,
                 expected=f"{classes} to {most} executions at bound {BOUND}")
        total_plain, total_reduced = total_plain + plainly, total_reduced + last
        print(f"     {name:22}classes {sum(wanted[0]):6}  preempt {plainly:7}  bpor {reduced:7}")
    if tier.ALL and total_reduced * 3 > total_plain:
        fail("all programs together", expected=f"a third of {total_plain} executions or fewer", actual=total_reduced)
    print(f"ok   programs of the corpus up to bound {BOUND}")


bench_run(check)
