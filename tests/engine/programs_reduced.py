#!/usr/bin/env python3
"""The small programs of tests/programs, as they are: where both searches come to their end, dpor shows the
classes and findings that dfs shows. So does auto, which ends where dpor ends, and claims all of it. `make test` takes every
tenth of them."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, run, shown  # noqa: E402

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"
EXECUTIONS_MAX, COMPARED_LEAST = tier.by_tier(200, 200, 3000), tier.by_tier(4, 4, 60)
STEPS_MAX = 2000  # of one execution: what takes more does not come to its end either
AUTO_MAX = 5 * EXECUTIONS_MAX  # samples, too, and what is not reduced
PLAIN_HEADS = ("// run:", "// expect:", "// modes:", "// check:")
# Plain search holds back the thread in a loop that yields, a reduction lets each go on once; so do timers that repeat.
YIELDING = ("timer", "alarm", "sched_yield", "sleep(", "thrd_yield", "bohr_yield", "std::this_thread")


# For dpor futile iterations are no part of a class (docs/COUNTING.md, 9): here kinds and places of findings are compared.
GO_ROUND = ("auto_beside_waiting_loops.c", "livelock_while_allocating.c", "poll_under_lock_ends.c",
            "reduction_knows_several_values.c")


def suits(path):
    text = path.read_text()
    heads = [line for line in text.splitlines() if line.startswith("// ") and ":" in line.split()[1]]
    return (all(line.startswith(PLAIN_HEADS) for line in heads) and (tier.ALL or "// check: no" not in text)
            and not any(word in text for word in YIELDING))


def explore(bench, strategy, program, executions=EXECUTIONS_MAX):
    options = ["-s", strategy, "-k", "--spurious", "0", "--no-shrink", "--races", "warn", "-n", executions, "--steps", STEPS_MAX]
    command, report = bench.command(options, program)
    done = run(command)
    if done.status not in (0, 1):
        return None
    return bench.result(done, report)


def ends_of(result):
    return sorted({(f["kind"], f["message"], f["line"] or 0) for f in result["findings"]})


def places_of(result):
    return sorted({(f["kind"], f["line"] or 0) for f in result["findings"]})


def check_auto(bench, path, program, wanted):
    result = explore(bench, "auto", program, AUTO_MAX)
    if result["claim"]["kind"] not in ("all", "all-classes"):
        fail(f"{path.name}: auto ends with less than dpor", expected="all classes or all",
             actual=result["claim"]["text"], again=shown(["bohr", "run", "-k", path]))
    got = [result["classes"], result["class_set"], ends_of(result)]
    if got != wanted:
        fail(path.name, expected=f"the classes and findings of dfs: {wanted}", actual=got,
             again=shown(["bohr", "run", "-k", path]))
    return result["claim"]["kind"]


def check(bench):
    claims = []
    compared, executions = 0, {"dfs": 0, "dpor": 0}
    paths = [path for path in sorted(PROGRAMS.glob("*.c")) if suits(path)]
    for path in tier.sample("programs", paths, len(paths) // 10):
        program = bench.build(path.stem, path.read_text())
        plain = explore(bench, "dfs", program)
        if plain is None or not plain["complete"]:
            continue
        reduced = explore(bench, "dpor", program)
        if reduced is None:
            fail(f"{path.name}: dpor cannot run it, dfs can")
        if reduced["claim"]["kind"] != "all-classes":
            continue
        if path.name in GO_ROUND:
            if places_of(plain) != places_of(reduced):
                fail(path.name, expected=places_of(plain), actual=places_of(reduced))
            continue
        wanted, got = [[result["classes"], result["class_set"], ends_of(result)] for result in (plain, reduced)]
        if wanted != got:
            fail(path.name, expected=f"the classes and findings of dfs: {wanted}", actual=got,
                 again=shown(["bohr", "run", "-s", "dpor", "-k", path]))
        claims.append(check_auto(bench, path, program, wanted))
        compared += 1
        executions["dfs"] += plain["executions"]
        executions["dpor"] += reduced["executions"]
    if compared < COMPARED_LEAST:
        fail("too few programs can be compared", expected=f"{COMPARED_LEAST} or more",
             actual=compared)
    if not {"all", "all-classes"} <= set(claims):
        fail("auto ends in one way only", expected="some claims of all classes, some of all", actual=claims[0])
    print(f"ok   {compared} programs: dfs {executions['dfs']} executions, dpor {executions['dpor']}")


bench_run(check)
