#!/usr/bin/env python3
"""Executions a second and nanoseconds a step, in every isolation mode and on both carriers, beside
what the bare machine costs in the same run: docs/BENCHMARK.md says how to read it.

--check fails unless reset is at least 60 times as fast as fork on every test, an average step costs at
most four bare switches between fibers, one of a reduced search at most eight, the detectors make an
execution at most twice as long, an access costs at most one and a half times what it costs with
libtsan, checkpoints make searches ten times as fast as replay from the start, and an HTML report of 20,000 steps
opens within two seconds. --only detectors, --only checkpoints,
--only page and --only reductions measure these alone."""
import argparse
import collections
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
REPEATS = 3
SPEEDUP_MIN = 60
SWITCHES_MAX = 4
STEPS_MIN, STEPS_MAX = 10, 40  # of the tests that the two limits speak of

Program = collections.namedtuple("Program", "name source flags strategy")
PROGRAMS = [
    Program("2 x 2 locks", "locks.c", ["-DSECTIONS=2"], "random"),
    Program("2 x 5 locks", "locks.c", ["-DSECTIONS=5"], "random"),
    Program("2 x 8 locks", "locks.c", ["-DSECTIONS=8"], "random"),
    Program("3 x 2 atomics", "atomics.c", [], "random"),
    Program("lock order", "lock_order.c", [], "random"),
    Program("lost update", "lost_update.c", [], "random"),
    Program("null pointer", "null_pointer.c", [], "random"),
    Program("queue", "queue.c", [], "random"),
    Program("long set-up", "setup.c", [], "random"),
]
SETUP = PROGRAMS[-1]
SHORT, LONG = PROGRAMS[0], PROGRAMS[2]  # the same program with more steps

# The cost of `many - few` executions is what counts, so that starting up does not; under exec
# starting up is what an execution costs.
Mode = collections.namedtuple("Mode", "name options few many passes", defaults=[REPEATS])
USERFAULT = Mode("reset, userfaultfd", ["--isolate", "reset", "--tracking", "userfault"],
                 1000, 21_000, 15)
PROTECT = Mode("reset, mprotect", ["--isolate", "reset", "--tracking", "protect"], 1000, 16_000, 8)
FORK = Mode("fork", ["--isolate", "fork"], 10, 260)
KERNEL = Mode("fork, kernel threads", ["--isolate", "fork", "--carrier", "kernel"], 10, 130)
EXEC = Mode("exec", ["--isolate", "exec"], 0, 10)
FROM_START = Mode("reset, no checkpoint", ["--isolate", "reset", "--no-checkpoint"], 100, 700)
MODES = [USERFAULT, PROTECT, FORK, KERNEL, EXEC]

NOTHING = {"steps": 0, "cpu_seconds": 0, "wall_seconds": 0}
Cost = collections.namedtuple("Cost", "steps cpu wall")  # of an execution: nanoseconds


def modes_of(program):
    return MODES + [FROM_START] if program is SETUP else MODES


def run(bohr, binary, strategy, mode, executions, folder):
    """The result as JSON; None where the machine does not allow the mode."""
    report = folder / "result.json"
    report.unlink(missing_ok=True)
    command = [bohr, "run", "-q", "--no-explain", "-k", "--no-progress", "-s", strategy, "-n", str(executions),
               "-o", folder / "out", "--json", report, *mode.options, binary]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=120)
    if done.returncode == 2 and "userfaultfd" in done.stderr:
        return None
    result = json.loads(report.read_text()) if done.returncode in (0, 1) else {"executions": 0}
    if result["executions"] != executions:
        sys.exit(f"{' '.join(map(str, command))}\nexit status {done.returncode}, "
                 f"{result['executions']} executions\n{done.stdout}{done.stderr}")
    return result


def difference(many, few, mode):
    more = mode.many - mode.few
    return Cost((many["steps"] - few["steps"]) / more,
                (many["cpu_seconds"] - few["cpu_seconds"]) * 1e9 / more,
                (many["wall_seconds"] - few["wall_seconds"]) * 1e9 / more)


def run_both(bohr, binary, strategy, mode, folder):
    """Many executions and few; None where the machine does not allow the mode."""
    many = run(bohr, binary, strategy, mode, mode.many, folder)
    if many is None:
        return None
    return many, run(bohr, binary, strategy, mode, mode.few, folder) if mode.few else NOTHING


def measure(bohr, binary, strategy, mode, folder):
    return difference(*run_both(bohr, binary, strategy, mode, folder), mode)


def least(results):
    return {field: min(result[field] for result in results) for field in NOTHING}


class Samples:
    """What is printed is the least of several passes, as for the bare machine: what else the machine
    has to do only adds to it."""

    def __init__(self, build, folder):
        runs, bare = collections.defaultdict(list), []
        for turn in range(max(mode.passes for mode in MODES)):
            for program in PROGRAMS:
                bare.append(json.loads(subprocess.check_output([build / "bench" / "bare"])))
                for mode in modes_of(program):
                    if turn < mode.passes:
                        runs[program.name, mode.name].append(run_both(
                            build / "bin" / "bohr", folder / program.name, program.strategy, mode,
                            folder))
        self.bare = {what: min(one[what] for one in bare) for what in bare[0]}
        self.costs = {}
        for program in PROGRAMS:
            for mode in modes_of(program):
                pairs = runs[program.name, mode.name]
                self.costs[program.name, mode.name] = None if None in pairs else difference(
                    *(least(column) for column in zip(*pairs)), mode)

    def cost(self, program, mode):
        """None: not allowed on this machine."""
        return self.costs[program.name, mode.name]

    def ratio(self, program, slow, fast):
        return self.cost(program, slow).cpu / self.cost(program, fast).cpu

    def switches(self, programs, mode):
        """What an average step of these programs costs, in bare switches."""
        mine = [self.cost(program, mode) for program in programs]
        return sum(cost.cpu for cost in mine) / sum(cost.steps for cost in mine) / self.bare["switch"]

    def one_more_step(self, mode):
        """What a step adds to an execution: the same program, longer against shorter."""
        short, long = self.cost(SHORT, mode), self.cost(LONG, mode)
        step = (long.cpu - short.cpu) / (long.steps - short.steps)
        return step / self.bare["switch"], short.cpu - step * short.steps


def print_table(samples):
    fork = samples.bare["fork"]
    print(f"bare machine: {samples.bare['switch']:.1f} ns a switch between fibers, "
          f"{fork / 1000:.0f} us a fork and wait ({1e9 / fork:,.0f} a second)\n")
    print(f"{'':<15}{'':<22}{'':>6}{'executions a second':>22}{'ns':>11}{'switches':>10}{'times':>8}")
    print(f"{'program':<15}{'mode':<22}{'steps':>6}{'CPU':>12}{'wall':>10}{'a step':>11}"
          f"{'a step':>10}{'fork':>8}")
    for program in PROGRAMS:
        for mode in modes_of(program):
            if samples.cost(program, mode) is None:
                print(f"{program.name:<15}{mode.name:<22} not allowed on this machine")
                continue
            steps, cpu, wall = samples.cost(program, mode)
            if min(steps, cpu, wall) <= 0:
                sys.exit(f"{program.name}, {mode.name}: many executions took no longer than few; "
                         "the machine is too busy to measure")
            print(f"{program.name:<15}{mode.name:<22}{steps:>6.1f}{1e9 / cpu:>12,.0f}"
                  f"{1e9 / wall:>10,.0f}{cpu / steps:>11,.0f}"
                  f"{samples.switches([program], mode):>10,.1f}"
                  f"{samples.ratio(program, FORK, mode):>8,.1f}")


def print_verdict(samples):
    """True if both limits are kept. The long set-up does not count: fork repeats it each time."""
    reset = USERFAULT if samples.cost(SETUP, USERFAULT) is not None else PROTECT
    counted = [program for program in PROGRAMS if program is not SETUP and
               STEPS_MIN <= samples.cost(program, reset).steps <= STEPS_MAX]
    if not counted:
        sys.exit(f"no program has {STEPS_MIN} to {STEPS_MAX} steps")
    speedups = {program.name: samples.ratio(program, FORK, reset) for program in counted}
    slowest = min(speedups, key=speedups.get)
    step = samples.switches(counted, reset)
    dearest = max(counted, key=lambda program: samples.switches([program], reset))
    print(f"\n{len(counted)} tests of {STEPS_MIN} to {STEPS_MAX} steps, {reset.name}, race check on:")
    print(f"reset / fork        {speedups[slowest]:>6.1f} at least ({slowest}), "
          f"{statistics.median(speedups.values()):.1f} in the middle; wanted: at least {SPEEDUP_MIN}: "
          f"{'yes' if speedups[slowest] >= SPEEDUP_MIN else 'NO'}")
    more, fixed = samples.one_more_step(reset)
    print(f"step / bare switch  {step:>6.1f} on average, "
          f"{samples.switches([dearest], reset):.1f} at most ({dearest.name}); "
          f"wanted: at most {SWITCHES_MAX}: {'yes' if step <= SWITCHES_MAX else 'NO'}")
    print(f"  of which          {more:>6.1f} for one more step ({SHORT.name} against {LONG.name}); the "
          f"rest is {fixed:,.0f} ns an execution")
    print(f"checkpoint          {samples.ratio(SETUP, FROM_START, reset):>6.1f} times as fast as "
          f"without one ({SETUP.name})")
    return speedups[slowest] >= SPEEDUP_MIN and step <= SWITCHES_MAX


# Searches that a reduction brings to their end: their classes are known. `own` is what bench/own.c calls it.
Reduced = collections.namedtuple("Reduced", "name source flags classes own")
REDUCED = [
    Reduced("lastzero 12", "lastzero.c", ["-DN=12"], 15_360, ["lastzero", "12"]),
    Reduced("lastzero 15", "lastzero.c", ["-DN=15"], 147_456, ["lastzero", "15"]),
    Reduced("indexer 15", "indexer.c", ["-DN=15"], 4096, ["indexer", "15"]),
]
DPOR_SWITCHES_MAX = 8
DPOR_LIMITED = ["lastzero 12", "indexer 15"]  # what that limit speaks of
RACERS = 6  # threads of the long program that update one atomic, in 720 orders
RACED = 720


def long_program(name, steps, threads):
    return Reduced(name, "long.c", [f"-DSTEPS={steps}", f"-DT={threads}", f"-DRACERS={RACERS}"],
                   RACED, ["long", str(steps), str(threads), str(RACERS)])


MORE_STEPS = [long_program(f"{steps:,} steps", steps, RACERS)
              for steps in (100, 1000, 10_000, 20_000)]
MORE_THREADS = [long_program(f"{threads} threads", 1000, threads) for threads in (10, 25, 50, 100)]

GROWTH_MARGIN = 1.15  # what is measured is not exact: so much more than its size a row may cost
PASSES = 10  # of searches that do not take long
GROWTH_PASSES = 24  # of those that are compared with each other: starting up is most of what they take

Search = collections.namedtuple("Search", "whole steps cpu from_start own order insertion switch")
FROM_THE_START = ["--no-checkpoint"]
FAR_FROM_LIMIT = ["--steps", "40000"]  # in the last eighth of these an execution is watched for loops


def reduce_once(bohr, binary, reduced, limit, folder, options=()):
    """A search for all classes, or for so many."""
    report = folder / "result.json"
    subprocess.run([bohr, "run", "-q", "--no-explain", "--no-progress", "-s", "dpor", *limit, *options, "-o",
                    folder / "out", "--json", report, binary], stdin=subprocess.DEVNULL, check=True,
                   timeout=600)
    result = json.loads(report.read_text())
    classes = int(limit[-1]) if limit else reduced.classes
    if [result["executions"], result["cut"]] != [classes, 0]:
        sys.exit(f"{reduced.name}: {result['executions']} executions and {result['cut']} cut, "
                 f"wanted: {classes} and none")
    return result


def cheapest(results):
    return min(results, key=lambda result: result["cpu_seconds"])


def measure_reduced(build, reduced, folder, compare=False, options=(), passes=PASSES):
    """Steps of an execution, and nanoseconds of it; the least of some searches. What the first
    executions cost is start-up and does not count. To compare: where each begins at the start."""
    bohr, binary = build / "bin" / "bohr", folder / reduced.name
    few = ["-n", str(min(100, reduced.classes // 10))]
    more = reduced.classes - int(few[-1])
    subprocess.run([bohr, "cc", "-O2", *reduced.flags, "-o", binary,
                    HERE / "programs" / reduced.source], check=True)
    wholes, starts, switches, from_start = [], [], [], []
    for _ in range(passes if reduced.classes < 100_000 else REPEATS):
        bare = json.loads(subprocess.check_output([build / "bench" / "bare"]))
        switches.append(bare["switch"])
        starts.append(reduce_once(bohr, binary, reduced, few, folder, options))
        wholes.append(reduce_once(bohr, binary, reduced, [], folder, options))
        if compare:
            from_start.append([reduce_once(bohr, binary, reduced, limit, folder, FROM_THE_START)
                               for limit in (few, [])])
    own = json.loads(subprocess.check_output([build / "bench" / "own", *reduced.own]))
    if own["executions"] != reduced.classes:
        sys.exit(f"{reduced.name}: {own['executions']} executions of bench/own, "
                 f"wanted: {reduced.classes}")
    whole, start = cheapest(wholes), cheapest(starts)
    compared = None
    if compare:
        low, high = (cheapest(column)["cpu_seconds"] for column in zip(*from_start))
        compared = (high - low) * 1e9 / more
    return Search(whole, (whole["steps"] - start["steps"]) / more,
                  (whole["cpu_seconds"] - start["cpu_seconds"]) * 1e9 / more, compared, own["search"],
                  own["order"], own["insertion"], min(switches))


def print_reductions(build, folder):
    """True if the limit is kept."""
    kept = True
    print(f"\ndpor: one execution for each class\n{'':<15}{'':>9}{'':>9}{'':>9}{'':>11}"
          f"{'switches a step':>42}\n{'program':<15}{'classes':>9}{'steps':>9}{'CPU s':>9}"
          f"{'ns a step':>11}{'in all':>10}{'from start':>12}{'its own':>10}{'insertion':>10}"
          f"{'tree KiB':>10}{'MiB in all':>12}")
    for reduced in REDUCED:
        search = measure_reduced(build, reduced, folder, compare=True)
        bare = search.steps * search.switch
        kept &= reduced.name not in DPOR_LIMITED or search.cpu / bare <= DPOR_SWITCHES_MAX
        print(f"{reduced.name:<15}{reduced.classes:>9,}{search.steps:>9,.0f}"
              f"{search.whole['cpu_seconds']:>9.2f}{search.cpu / search.steps:>11,.0f}"
              f"{search.cpu / bare:>10,.1f}{search.from_start / bare:>12,.1f}"
              f"{search.own / bare:>10,.1f}{search.insertion / bare:>10.2f}"
              f"{search.whole['tree_bytes'] / 1024:>10,.0f}"
              f"{search.whole['peak_bytes'] / 2**20:>12,.0f}")
    print(f"{' and '.join(DPOR_LIMITED)}: wanted are at most {DPOR_SWITCHES_MAX} switches a step: "
          f"{'yes' if kept else 'NO'}")
    return kept


def print_growth(build, folder):
    """How the cost of an execution grows with its steps, and with its threads. True: no faster than they do."""
    kept = True
    print(f"\ndpor: how the cost of an execution grows ({RACED} classes, start-up does not count)\n"
          f"{'':<15}{'':>9}{'microseconds an execution':>40}{'times the row before':>25}\n"
          f"{'program':<15}{'steps':>9}{'in all':>10}{'its own':>10}{'order':>10}{'insertion':>10}"
          f"{'size':>12}{'cost':>7}{'own':>6}")
    for rows, size in ((MORE_STEPS, 1), (MORE_THREADS, 2)):
        before = None
        for reduced in rows:
            search = measure_reduced(build, reduced, folder, options=FAR_FROM_LIMIT, passes=GROWTH_PASSES)
            times = ""
            if before is not None:
                larger = int(reduced.own[size]) / int(before[0].own[size])
                dearer = search.cpu / before[1].cpu
                kept &= dearer <= larger * GROWTH_MARGIN
                times = f"{larger:>12.1f}{dearer:>7.1f}{search.own / before[1].own:>6.1f}"
            print(f"{reduced.name:<15}{search.steps:>9,.0f}{search.cpu / 1e3:>10,.1f}"
                  f"{search.own / 1e3:>10,.1f}{search.order / 1e3:>10,.1f}"
                  f"{search.insertion / 1e3:>10.1f}{times}")
            before = reduced, search
    print(f"wanted: no row costs more times the one before than it is larger: {'yes' if kept else 'NO'}")
    return kept


# What checkpoints save: the same search with them, and from the start each time. Of a long program each execution
# differs from the one before near its end at first; a search that goes back step by step has ever more to run again.
CHECKPOINTED = [
    ("long set-up", ["-DSETUP=40000", "-DROUNDS=5"], ["dfs", "preempt", "delay", "dpor", "best", "random"], 100, 500),
    ("long executions", ["-DSETUP=0", "-DROUNDS=2000"], ["dfs", "preempt", "delay", "dpor", "best"], 50, 250),
]
CHECKPOINT_MIN = 10
SHORT_REPEATS = 5 * REPEATS  # with checkpoints: a difference of a millisecond
SAME = ("steps", "classes", "fingerprint", "buggy", "cut", "verdict")


def checkpoint_costs(build, binary, strategy, few, many, folder):
    """Steps, and nanoseconds of an execution with checkpoints and without; the least of some passes. The searches
    are the same, or it ends here."""
    costs = []
    for options in ([], FROM_THE_START):
        passes = []
        for _ in range(REPEATS if options else SHORT_REPEATS):
            results = []
            for executions in (few, many):
                report = folder / "result.json"
                subprocess.run([build / "bin" / "bohr", "run", "-q", "--no-explain", "-k", "--no-progress", "-s", strategy, "-n",
                                str(executions), "-o", folder / "out", "--json", report, *FAR_FROM_LIMIT, *options,
                                binary], stdin=subprocess.DEVNULL, check=True, timeout=600)
                results.append(json.loads(report.read_text()))
            passes.append(results)
        first, last = (cheapest(column) for column in zip(*passes))
        more = last["executions"] - first["executions"]
        costs.append(((last["cpu_seconds"] - first["cpu_seconds"]) * 1e9 / more, last))
    (with_them, result), (without, wanted) = costs
    if any(result[name] != wanted[name] for name in SAME):
        sys.exit(f"{binary.name}, {strategy}: checkpoints change the result")
    return wanted["max_steps"], wanted["executions"], with_them, without


def print_checkpoints(build, folder):
    """True if they make each search of each program as much faster as is wanted."""
    print(f"\nwhat checkpoints save\n{'program':<17}{'strategy':<10}{'executions':>11}{'steps':>8}"
          f"{'us with them':>14}{'from start':>12}{'times':>8}")
    kept = True
    for name, flags, strategies, few, many in CHECKPOINTED:
        binary = folder / name
        subprocess.run([build / "bin" / "bohr", "cc", "-O2", *flags, "-o", binary,
                        HERE / "programs" / "rounds.c"], check=True)
        for strategy in strategies:
            steps, executions, with_them, without = checkpoint_costs(build, binary, strategy, few, many, folder)
            enough = with_them > 0 and without >= CHECKPOINT_MIN * with_them  # or it was not measured
            print(f"{name:<17}{strategy:<10}{executions:>11,}{steps:>8,}{with_them / 1e3:>14,.1f}"
                  f"{without / 1e3:>12,.1f}{without / with_them:>8.1f}{'' if enough else '  NO'}")
            kept &= enough
    print(f"wanted: at least {CHECKPOINT_MIN} times with each of them, same results: {'yes' if kept else 'NO'}")
    return kept


# What the detectors cost: the same search with those that are on by default, and without any.
WITHOUT = Mode("without detectors",
               ["--detect", "none", "--races", "off", "--points", "sync"], 1000, 61_000)
WITH = Mode("with detectors", [], 1000, 61_000)
DETECTORS_MAX = 2.0
KERNELS = ("matrix", "sort", "hash")
KERNEL_TIMES = (5, 105)
KERNEL_EXECUTIONS = (1, 4)  # the first of a search is run twice, the next ones are not
TSAN_MAX = 1.5


def detector_ratios(build, folder):
    """(steps, ns with, ns without, ratio) for each test whose steps the detectors do not change: what
    races has more of them with the race detector."""
    rows = {}
    for program in PROGRAMS:
        passes = []
        for _ in range(REPEATS):
            pair = [measure(build / "bin" / "bohr", folder / program.name, program.strategy, mode,
                            folder) for mode in (WITH, WITHOUT)]
            passes.append(pair)
        steps = [statistics.median(cost[i].steps for cost in passes) for i in (0, 1)]
        if abs(steps[0] - steps[1]) < 0.01 * steps[1]:
            costs = [statistics.median(cost[i].cpu for cost in passes) for i in (0, 1)]
            ratio = statistics.median(one.cpu / other.cpu for one, other in passes)
            rows[program.name] = (steps[0], *costs, ratio)
    return rows


def cpu_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def kernel_cost(cost_of):
    """CPU nanoseconds of one turn of a kernel; cost_of: seconds that so many turns take."""
    few, many = (cost_of(str(times)) for times in KERNEL_TIMES)
    return (many - few) * 1e9 / (KERNEL_TIMES[1] - KERNEL_TIMES[0])


def execution_cost(build, folder, program):
    """CPU seconds of one execution, without what starting the search takes."""
    few, many = (cpu_of([build / "bin" / "bohr", "run", "-q", "--no-explain", "--no-progress", "-s", "random", "-n",
                         str(executions), "-o", folder / "out", *program])
                 for executions in KERNEL_EXECUTIONS)
    return (many - few) / (KERNEL_EXECUTIONS[1] - KERNEL_EXECUTIONS[0])


def kernel_ratios(build, folder):
    """(ns under bohr, ns with libtsan, ratio); None where there is no libtsan."""
    source = HERE / "programs" / "kernels.c"
    ours, theirs = folder / "kernels", folder / "kernels-tsan"
    subprocess.run([build / "bin" / "bohr", "cc", "-O2", "-o", ours, source], check=True)
    built = subprocess.run(["gcc", "-O2", "-fsanitize=thread", "-o", theirs, source, "-pthread"],
                           capture_output=True)
    fixed = ["setarch", os.uname().machine, "-R"]  # libtsan wants its addresses for itself
    if built.returncode != 0 or subprocess.run([*fixed, theirs, "sort", "1"],
                                               capture_output=True).returncode != 0:
        return None
    rows = {}
    for kernel in KERNELS:
        passes = []
        for _ in range(REPEATS):
            passes.append((
                kernel_cost(lambda times: execution_cost(build, folder, [ours, kernel, times])),
                kernel_cost(lambda times: cpu_of([*fixed, theirs, kernel, times]))))
        rows[kernel] = (*(statistics.median(column) for column in zip(*passes)),
                        statistics.median(one / other for one, other in passes))
    return rows


def print_detectors(build, folder):
    """True if both limits are kept."""
    rows = detector_ratios(build, folder)
    print(f"\nwhat the detectors cost\n{'program':<15}{'steps':>7}{'ns with them':>14}"
          f"{'without':>10}{'times':>8}")
    for name, (steps, with_them, without, ratio) in rows.items():
        print(f"{name:<15}{steps:>7.1f}{with_them:>14,.0f}{without:>10,.0f}{ratio:>8.2f}")
    dearest = max(rows, key=lambda name: rows[name][3])
    kept = rows[dearest][3] <= DETECTORS_MAX
    print(f"detectors / none    {rows[dearest][3]:>6.2f} times an execution at most ({dearest}); wanted: "
          f"at most {DETECTORS_MAX:g}: {'yes' if kept else 'NO'}")
    kernels = kernel_ratios(build, folder)
    if kernels is None:
        print("libtsan             not on this machine")
        return kept
    print(f"\n{'kernel':<15}{'us a turn':>10}{'libtsan':>10}{'times':>8}")
    for name, (ours, theirs, ratio) in kernels.items():
        print(f"{name:<15}{ours / 1000:>10,.0f}{theirs / 1000:>10,.0f}{ratio:>8.2f}")
    dearest = max(kernels, key=lambda name: kernels[name][2])
    fast = kernels[dearest][2] <= TSAN_MAX
    print(f"access / libtsan    {kernels[dearest][2]:>6.2f} at most ({dearest}); wanted: at most "
          f"{TSAN_MAX:g}: {'yes' if fast else 'NO'}")
    return kept and fast


# How long a report takes to open: from the beginning of the navigation until its script has drawn it.
PAGE_MAX_MS = 2000
PAGE_TURNS = 5
EMPTY_PAGE = "<!doctype html><title>empty</title><p>empty<script>performance.mark('bohr-drawn')</script>"
DRAWN = "performance.getEntriesByName('bohr-drawn')[0].startTime"


def print_page(build, folder):
    """True if a trace of 20,000 steps opens in time; also where there is no browser, and then nothing is known."""
    sys.path[:0] = [str(HERE.parent / "tests" / part) for part in ("support", "engine")]
    from browser import Browser
    from html_report import LONG
    if shutil.which("chromium") is None:
        print("\nHTML report          no browser on this machine (tools/setup chromium)")
        return True
    pages = {"empty page": folder / "empty.html", "report": folder / "report.html"}
    pages["empty page"].write_text(EMPTY_PAGE)
    (folder / "story.c").write_text(LONG)
    subprocess.run([build / "bin" / "bohr", "run", "-q", "--no-progress", "-s", "random", "-n", "1", "--no-shrink", "-o",
                    folder / "out", "--html", pages["report"], folder / "story.c"], stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, timeout=120)
    browser, taken = Browser(), collections.defaultdict(list)
    try:
        for _ in range(PAGE_TURNS):
            for name, page in pages.items():
                browser.open(page)
                browser.settle()
                taken[name].append(browser.value(DRAWN))
        steps = browser.value("findings[0].schedule.count")
    finally:
        browser.close()
    empty, report = min(taken["empty page"]), min(taken["report"])
    kept = report <= PAGE_MAX_MS
    print(f"\nHTML report of {steps:,} steps: {report:,.0f} ms until it is drawn, {report / empty:.1f} times an empty page "
          f"({empty:.0f} ms); wanted: at most {PAGE_MAX_MS:,} ms: {'yes' if kept else 'NO'}")
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", choices=["detectors", "checkpoints", "page", "reductions"])
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="bohr-bench-") as temporary:
        folder = pathlib.Path(temporary)
        for program in PROGRAMS:
            subprocess.run([build / "bin" / "bohr", "cc", "-O2", *program.flags, "-o",
                            folder / program.name, HERE / "programs" / program.source], check=True)
        kept = True
        if arguments.only is None:
            samples = Samples(build, folder)
        if arguments.only in (None, "reductions"):
            kept &= print_reductions(build, folder)
            kept &= print_growth(build, folder)
        if arguments.only is None:
            print_table(samples)
            kept &= print_verdict(samples)
        if arguments.only in (None, "checkpoints"):
            kept &= print_checkpoints(build, folder)
        if arguments.only in (None, "detectors"):
            kept &= print_detectors(build, folder)
        if arguments.only in (None, "page"):
            kept &= print_page(build, folder)
    print(f"\n{time.monotonic() - begin:.0f} s")
    sys.exit(1 if arguments.check and not kept else 0)


if __name__ == "__main__":
    main()
