"""docs/RESULTS.md: measurements of the corpus beside the numbers of the study, as a page."""
import csv
import math
import os
import pathlib
import re
import statistics
import subprocess

import corpus_factor

NONE = "×"
SHOWN = 10  # rows of a list of the worst
# Executions to the first bug, mean over 20 seeds, of the best sampler that was published.
SAMPLED = {
    **{f"reorder_{n}": "6" for n in (3, 4, 5, 10, 20, 50, 100)},
    "twostage_20": "6", "twostage_50": "20", "twostage_100": "56", "safestack": "368,921",
    "WSQ": "1 to 6", "IWSQ": "1 to 6", "SWSQ": "1 to 6", "IWSQWS": "1 to 6", "qsort_mt": "27",
    "stringbuffer": "8", "bluetooth_driver": "9",
}

PREFACE = """# Results on the corpus

Written by `tools/corpus --page`; `make results` rewrites it. Machine: {machine}.
Limit: {limit:,} executions and {time} seconds for each program and strategy. The samplers and
`auto`: mean over {seeds} seeds, {published_seeds} where such a mean was published{doubt}.

*bound* is the number of preemptions or delays at which the bug shows (where it was not found: that
had been reached), *first* the number of executions up to and including the first with the bug
({none}: not found; "2 missed": so many of the seeds did not find it, the mean is over the others),
*all* those that were run (L: the limit was reached; \\*: the time limit), *new* those with exactly
as many preemptions or delays as the bound, *buggy* those with the bug. Where the search restarted
after a race was found, *first* counts what ran before, *new* and *buggy* do not.

"The study" is *Concurrency testing using schedule bounding: an empirical study* (Thomson, Donaldson
and Betts, PPoPP 2014), table 3. Its programs are not ours: [corpus/](../corpus) has programs of our
own with the same bugs, those of the larger ones cut down to the part that is wrong. So the bound, a
property of the bug, must be equal, and the tests demand it; the numbers of executions are near each
other where the programs are small, and smaller here where ours are.

## Bugs found

"""


def machine():
    """Cores, processor and compiler; nothing that names the machine."""
    model = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    compiler = subprocess.run(["gcc", "--version"], capture_output=True, text=True).stdout
    processor = model.group(1).strip() if model else "an unknown processor"
    return f"{os.cpu_count()} cores of {processor}, {(compiler.splitlines() or ['no gcc'])[0]}"


def read_published(path):
    with open(path, newline="") as file:
        return {row["program"]: row for row in csv.DictReader(file)}


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def number(value):
    """A mean with one digit where it is small."""
    return f"{value:.1f}" if isinstance(value, float) and value < 100 else f"{value:.0f}"


def first(row):
    if row is None:
        return "–"
    if row["first"] is None:
        return NONE
    missed = row.get("seeds", 1) - row.get("seeds_found", 1)
    return number(row["first"]) + (f" ({missed} missed)" if missed else "")


def all_of(row):
    return {None: str(row["all"]), "executions": "L", "time": f"{row['all']}\\*"}[row["stopped"]]


def theirs(study, strategy, field, limit=10_000):
    text = study[f"{strategy}_{field}"]
    return NONE if text == "" else "L" if field == "all" and int(text) == limit else text


class Page:
    """measured: (program, strategy -> row), for each program of the corpus that has a bug."""

    def __init__(self, published, measured, strategies, options):
        self.published, self.measured = published, measured
        self.strategies, self.options = strategies, options
        self.studied = [pair for pair in measured if pair[0].name in published]
        self.others = [pair for pair in measured if pair[0].name not in published]

    def summary(self):
        """How many bugs each strategy finds; the study's numbers are over the same programs."""
        rows = []
        for strategy in self.strategies:
            def found(measured):
                return str(sum(rows_of[strategy]["first"] is not None
                               for _, rows_of in measured if strategy in rows_of))
            study = "–"
            if strategy in ("preempt", "delay", "dfs", "random"):
                study = str(sum(self.published[program.name][f"{strategy}_first"] != ""
                                for program, _ in self.studied))
            rows.append([f"`{strategy}`", study, found(self.studied), found(self.measured)])
        return table(["strategy", f"the study, of {len(self.studied)}", "Bohr, of these",
                      f"Bohr, of all {len(self.measured)}"], rows)

    def bounded(self, strategy):
        fields = ["bound", "first", "all", "new", "buggy"]
        rows = []
        for program, found in self.studied:
            if strategy in found:
                study, row = self.published[program.name], found[strategy]
                ours = [str(row["bound"]), first(row), all_of(row), str(row["new"]),
                        str(row["buggy"])]
                rows.append([program.name] + [f"{theirs(study, strategy, field)}"
                                              for field in fields] + ours)
        return table(["program"] + [f"study {field}" for field in fields]
                     + [f"Bohr {field}" for field in fields], rows)

    def unbounded(self):
        rows = []
        for program, found in self.studied:
            if "dfs" in found and "random" in found:
                study = self.published[program.name]
                rows.append([program.name,
                             *[theirs(study, "dfs", field) for field in ("first", "all", "buggy")],
                             first(found["dfs"]), all_of(found["dfs"]), str(found["dfs"]["buggy"]),
                             *[theirs(study, "random", field) for field in ("first", "buggy")],
                             first(found["random"]), str(found["random"]["buggy"])])
        return table(["program", "study dfs first", "all", "buggy", "Bohr dfs first", "all",
                      "buggy", "study random first", "buggy", "Bohr random first", "buggy"], rows)

    def sampled(self, samplers):
        rows = [[program.name, SAMPLED.get(program.name, "–")]
                + [first(found.get(sampler)) for sampler in samplers]
                for program, found in self.measured]
        return table(["program", "published"] + [f"`{name}`" for name in samplers], rows)

    def portfolio(self):
        """What `auto` costs: its time, and its executions beside those of the best strategy."""
        slow = sorted(((math.inf if found["auto"]["seconds"] is None else found["auto"]["seconds"],
                        program.name)
                       for program, found in self.measured if "auto" in found), reverse=True)
        missed = [name for seconds, name in slow if seconds == math.inf]
        parts = [f"As it is used, with no limit but its own 60 seconds, it finds "
                 f"{len(slow) - len(missed)} of {len(slow)}"
                 + (f" (not {', '.join(missed)})" if missed else "") + ". The slowest:\n\n",
                 table(["program", "seconds"], [[name, f"{seconds:.2f}"] for seconds, name in slow
                                                if seconds < math.inf][:SHOWN])]
        factors = corpus_factor.factors(self.measured)
        if factors:
            median = statistics.median(factor.value for factor in factors)
            parts += [f"\nIts executions to the first bug, divided by those of whichever other "
                      f"strategy was the best for the program (the luckiest, where seeds are few), "
                      f"{len(factors)} programs: {median:.1f} is the median, "
                      f"{corpus_factor.geometric_mean(factors):.1f} the geometric mean. "
                      f"{corpus_factor.verdict(factors)} The largest:\n\n",
                      table(["program", "best", "its executions", "`auto`", "factor"],
                            [[factor.program, f"`{factor.best}`", number(factor.theirs),
                              number(factor.ours), f"{factor.value:.1f}"]
                             for factor in factors[:SHOWN]])]
        return "".join(parts)

    def rest(self):
        rows = []
        for program, found in self.others:
            cells = [program.name, str(program.threads), ", ".join(program.finds)]
            for strategy in ("preempt", "delay"):
                row = found.get(strategy)
                cells += (["–"] * 3 if row is None else
                          [str(row["bound"]), first(row), all_of(row)])
            cells.append(first(found.get("dfs")))
            rows.append(cells)
        return table(["program", "threads", "finds", "preempt bound", "first", "all", "delay bound",
                      "first", "all", "dfs first"], rows)

    def doubt(self):
        seeds = self.options.doubt_seeds
        return (f", {seeds} where with so few `auto` seemed to need more than {corpus_factor.SMALL} times as many "
                "executions as the best" if seeds else "")

    def text(self, samplers):
        options = self.options
        parts = [PREFACE.format(machine=machine(), limit=options.limit, time=options.time,
                                seeds=options.seeds, none=NONE,
                                published_seeds=options.published_seeds or options.seeds,
                                doubt=self.doubt()),
                 self.summary()]
        for strategy, title in (("preempt", "Preemption bounding"), ("delay", "Delay bounding")):
            if strategy in self.strategies:
                parts += [f"\n## {title}\n\n", self.bounded(strategy)]
        if "dfs" in self.strategies and "random" in self.strategies:
            parts += ["\n## Depth-first and random\n\n", self.unbounded()]
        if samplers:
            parts += ["\n## Samplers and auto\n\nExecutions to the first bug, beside the best that "
                      "was published for a sampler.\n\n", self.sampled(samplers)]
        if "auto" in self.strategies:
            parts += ["\n## What auto costs\n\n", self.portfolio()]
        if self.others:
            parts += ["\n## Programs that are not in the study\n\n", self.rest()]
        return "".join(parts)
