#!/usr/bin/env python3
"""Runs bohr on real programs and compares the result with what their first comments say.

    // build: WAY FLAGS     how it is built; several lines: all of them (default: gcc -O1)
                            gcc, clang   bohr cc with that compiler
                            plain-tsan   gcc -fsanitize=thread, without bohr
                            none         gcc, without instrumentation
    // run: OPTIONS [-- ARGUMENTS]   options of bohr run; several lines: several runs
    // input: TEXT          standard input of the runs; \\n is a new line
    // modes: all           the first run in every isolation mode, on both carriers, gcc and clang
                            builds: same fingerprint and counts everywhere (exec, the slowest, with
                            gcc only); where that run is `-s dfs`, `-s random` too, with gcc;
                            `all preload`: also not instrumented, and for libtsan.
                            The first run with each other list of arguments the same way, but its first
                            40 executions only, with one kind of reset, and clang and `-s random` on both carriers only: clang with
                            the same findings. `all first`: not these
    // replay: no           the findings are not replayed (say why beside it)
    // check: no            `make check` leaves the program out: it takes long
    // expect: finding KIND           a finding of that kind, and no other kind unless also expected
    // expect: no finding
    // expect: exit N                 exit status of bohr
    // expect: output TEXT            part of the report; blanks match any blanks
    // expect: silence TEXT           no part of it
    // expect: FIELD OP VALUE         a field of the JSON result: claim.kind == within-bound,
                                      per_bound[1].executions == 7; `executions 42` means ==

What is left behind at the end (detector `untidy`) is looked for only where the options say so.
Expectations before the first run line hold for every run, later ones for the run above them (of several `exit` the last). Every
finding is replayed at once on both carriers and must come out the same.

That is what `make test-all` does. `make test` does every run with one of the builds, which take turns, replays on one carrier, and
compares the first mode with one other: which ones depends on the program's name alone (tests/support/tier.py).
`make check` does two of the runs that name no mode, with the first build, replays on fibers and compares no modes.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))
import tier  # noqa: E402
from replay import replay_finding  # noqa: E402

COMPARE = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
    "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
    "<": lambda a, b: a < b, ">": lambda a, b: a > b,
}
MODES = {
    "reset with userfaultfd": ["--isolate", "reset", "--tracking", "userfault"],
    "reset with mprotect": ["--isolate", "reset", "--tracking", "protect"],
    "reset without checkpoint": ["--isolate", "reset", "--no-checkpoint"],
    "fork": ["--isolate", "fork"],
    "exec": ["--isolate", "exec"],
    "kernel threads, fork": ["--isolate", "fork", "--carrier", "kernel"],
    "kernel threads, exec": ["--isolate", "exec", "--carrier", "kernel"],
}
MODES_OF_MORE = {
    "reset": ["--isolate", "reset"],
    "fork": ["--isolate", "fork"],
    "exec": ["--isolate", "exec"],
    "kernel threads, fork": ["--isolate", "fork", "--carrier", "kernel"],
    "kernel threads, exec": ["--isolate", "exec", "--carrier", "kernel"],
}
EXECUTIONS_OF_MORE = 40
CHECKED_RUNS = 2  # of a program in `make check`
SAMPLED_FIRST, SAMPLED_MORE, RUNS_OF_MORE = 1, 1, 2  # modes of the first run, of each other one, other runs in `make test`
SAME = ["fingerprint", "executions", "steps", "classes", "first_bug", "buggy", "cut", "restarts",
        "per_bound", "threads", "max_enabled", "max_points", "max_steps", "complete", "verdict"]
TIMEOUT_SECONDS = 3600  # a limit for a search that hangs
INCLUDE = f"-I{pathlib.Path(__file__).resolve().parent.parent / 'include'}"


class Failure(Exception):
    def __init__(self, **story):
        self.story = story


class Run:
    def __init__(self, options, expectations):
        self.options = options
        self.expectations = expectations


class Program:
    """What the head of a source file says."""

    def __init__(self, path):
        self.path = path
        self.builds, self.runs, self.common = [], [], []
        self.binaries = {}  # by the way they were built
        self.input, self.modes, self.replays, self.is_checked = "", [], True, True
        for line in path.read_text().splitlines():
            match = re.match(r"\s*(?://|\*)\s*(build|run|input|modes|replay|check|expect): (.*)", line)
            if match:
                self.read(match.group(1), match.group(2).strip())
        if not self.runs:
            self.runs.append(Run("", list(self.common)))
        self.builds = self.builds or ["gcc -O1"]

    def read(self, word, text):
        if word == "build":
            self.builds.append(text)
        elif word == "run":
            self.runs.append(Run(text, list(self.common)))
        elif word == "input":
            self.input = text.replace("\\n", "\n")
        elif word == "modes":
            self.modes = text.split()
        elif word == "replay":
            self.replays = text.split()[0] != "no"
        elif word == "check":
            self.is_checked = text.split()[0] != "no"
        elif self.runs:
            self.runs[-1].expectations.append(text)
        else:
            self.common.append(text)


def call(command, **more):
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace",
                              timeout=TIMEOUT_SECONDS, **more)
    except subprocess.TimeoutExpired:
        raise Failure(expected=f"an end within {TIMEOUT_SECONDS} seconds", actual="still running",
                      again=shlex.join(map(str, command)))


def build(bohr, program, way, folder):
    if way not in program.binaries:
        program.binaries[way] = compile_program(bohr, program, way, folder)
    return program.binaries[way]


def compile_program(bohr, program, way, folder):
    kind, *flags = shlex.split(way)
    is_c = program.path.suffix == ".c"
    environment = dict(os.environ)
    if kind in ("gcc", "clang"):
        environment.update(BOHR_CC=kind, BOHR_CXX={"gcc": "g++", "clang": "clang++"}[kind])
        command = [bohr, "cc" if is_c else "c++"]
    elif kind == "plain-tsan":
        command = ["gcc" if is_c else "g++", "-g", "-pthread", INCLUDE, "-fsanitize=thread"]
    elif kind == "none":
        command = ["gcc" if is_c else "g++", "-g", "-pthread", INCLUDE]
    else:
        raise Failure(expected="build: gcc, clang, plain-tsan or none", actual=way)
    target = folder / re.sub(r"\W+", "-", f"{program.path.stem}-{way}")
    command += flags + ["-o", str(target), str(program.path)]
    result = call(command, env=environment)
    if result.returncode != 0:
        raise Failure(expected=f"it builds ({way})", actual=result.stdout + result.stderr,
                      again=shlex.join(command))
    return target


class Result:
    """One run of bohr: exit status, report and JSON."""

    def __init__(self, bohr, program, binary, options, folder):
        words = shlex.split(options)
        arguments = arguments_of(options)
        words = words[:words.index("--")] if "--" in words else words
        report = folder / "result.json"
        report.unlink(missing_ok=True)
        self.command = ([bohr, "run", "--no-progress", "--no-explain", "--detect", "-untidy", "-o",
                         str(folder / "bohr-out"), "--json", str(report)] + words + [str(binary)] + arguments)
        done = call(self.command, input=program.input, cwd=folder)
        self.status, self.output, self.errors = done.returncode, done.stdout, done.stderr
        self.json = json.loads(report.read_text()) if report.exists() else None

    def fail(self, expected, actual):
        text = (self.output + self.errors).rstrip()
        raise Failure(expected=expected, actual=actual, output=text or "(nothing)",
                      again=shlex.join(self.command))

    def field(self, path):
        value = self.json
        for name, index in re.findall(r"(\w+)|\[(\d+)\]", path):
            try:
                value = value[int(index)] if index else value[name]
            except (KeyError, IndexError, TypeError):
                self.fail(f"a field {path}", "no such field in the JSON result")
        return value

    def check_field(self, expectation):
        match = re.fullmatch(r"(\S+)\s+(==|!=|<=|>=|<|>)\s+(.*)", expectation)
        path, operator, text = match.groups() if match else (expectation.split(None, 1)[0], "==",
                                                             expectation.split(None, 1)[1])
        try:
            wanted = json.loads(text)
        except ValueError:
            wanted = text
        actual = self.field(path)
        if not COMPARE[operator](actual, wanted):
            self.fail(expectation, f"{path} is {json.dumps(actual)}")

    def check(self, expectations):
        kinds = [text.split()[1] for text in expectations if text.startswith("finding ")]
        silent = "no finding" in expectations
        statuses = [text.split()[1] for text in expectations if text.startswith("exit ")]
        wanted = int(statuses[-1]) if statuses else 1 if kinds else 0
        if self.status != wanted:
            self.fail(f"exit status {wanted}", f"exit status {self.status}")
        if self.json is None and (kinds or silent):
            self.fail("a JSON result", "none")
        found = {finding["kind"] for finding in self.json["findings"]} if self.json else set()
        if (kinds or silent) and found != set(kinds):
            self.fail("findings: " + (", ".join(kinds) or "none"),
                      "findings: " + (", ".join(sorted(found)) or "none"))
        for finding in self.json["findings"] if self.json else []:
            if not finding.get("why"):
                self.fail("a sentence that says why", f"none for the {finding['kind']}")
        for text in expectations:
            word = text.split()[0]
            if word == "output":
                wanted_text = text.split(None, 1)[1]
                if wanted_text.split() and " ".join(wanted_text.split()) not in " ".join(
                        (self.output + self.errors).split()):
                    self.fail(f"a report with '{wanted_text}'", "a report without it")
            elif word == "silence":
                if text.split(None, 1)[1] in self.output + self.errors:
                    self.fail(f"a report without '{text.split(None, 1)[1]}'", "it is there")
            elif word not in ("finding", "no", "exit"):
                if self.json is None:
                    self.fail("a JSON result", "none")
                self.check_field(text)


def replay_all(bohr, program, result, options, folder):
    for finding in result.json["findings"] if result.json else []:
        story = replay_finding(bohr, finding, shlex.split(options), program.input, cwd=folder)
        if story is not None:
            story["again"] = f"{shlex.join(result.command)}; {story.get('again', '')}"
            raise Failure(**story)


def arguments_of(options):
    words = shlex.split(options)
    return words[words.index("--") + 1:] if "--" in words else []


def runs_in_modes(program):
    """One for each list of arguments."""
    runs = {}
    for each in program.runs:
        if not re.search(r"--(isolate|carrier|tracking)\b", each.options):
            runs.setdefault(tuple(arguments_of(each.options)), each)
    return list(runs.values())


def run_in_mode(bohr, program, binary, options, mode, folder):
    """What must be the same in every mode; None: the machine or the program does not allow it."""
    result = Result(bohr, program, binary, f"--no-shrink {shlex.join(mode)} {options}", folder)
    if result.status == 2 and "userfault" in mode and "userfaultfd" in result.errors:
        print(f"not allowed on this machine, left out: {shlex.join(mode)}")
        return result, None
    if result.status == 3 and "reset" in mode and "resetting the process cannot undo" in result.output:
        return result, None
    if result.json is None:
        result.fail("a JSON result", f"none, exit status {result.status}")
    same = {name: result.json.get(name) for name in SAME}
    same["findings"] = sorted(f["kind"] for f in result.json["findings"])
    return result, same


def products_of(name, ways, modes, count):
    """Builds and modes that are compared: the first one, and of the others COUNT in `make test`, all in `make test-all`."""
    everything = [(way, mode) for way in ways for mode in modes if "exec" not in mode or way == ways[0]]
    return everything[:1] + tier.sample(name, everything[1:], count)


def compare_modes(bohr, program, products, modes, each, options, folder):
    """The same traces whatever begins the next execution, carries threads or compiled the program."""
    first = None
    for way, mode in products:
        binary = build(bohr, program, way, folder)
        result, same = run_in_mode(bohr, program, binary, options, modes[mode], folder)
        if same is None:
            continue
        name = f"{way}, {mode}"
        if first is None:
            first = (name, same)
            if "no finding" in each.expectations:
                result.check([text for text in each.expectations
                              if text == "no finding" or text.startswith("exit ")])
        for key in same:
            if same[key] != first[1][key]:
                result.fail(f"{key} {first[1][key]} (as with {first[0]})",
                            f"{key} {same[key]} with {name}")
    return first and first[1]


def differ(one, other):
    """Whether two builds show something else; nothing can be said of a search that was cut short."""
    if any(not same["findings"] and not same["complete"] for same in (one, other)):
        return False
    return [one["verdict"], one["findings"]] != [other["verdict"], other["findings"]]


LIMIT = re.compile(r"(?<!\S)-n (\d+) ?")


def with_most(options, most):
    """The same with at most so many executions."""
    return f"-n {min([most, *map(int, LIMIT.findall(options))])} {LIMIT.sub('', options)}"


def sampled_of(options):
    """The same with `-s random` in place of `-s dfs`; None: it is another strategy."""
    sampled = LIMIT.sub("", options).replace("-s dfs", "-s random -n 10")
    return sampled if "-s dfs" in options else None


def run_modes(bohr, program, folder):
    kinds = ["gcc", "clang"] + (["none", "plain-tsan"] if "preload" in program.modes else [])
    ways = [f"{kind} {program.builds[0].split(None, 1)[1]}" for kind in kinds]
    first, *more = runs_in_modes(program)
    name = program.path.name
    compare_modes(bohr, program, products_of(name, ways, MODES, SAMPLED_FIRST), MODES, first, first.options, folder)
    if sampled_of(first.options):
        products = products_of(f"{name}: random", ways[:1], MODES_OF_MORE, SAMPLED_MORE)
        compare_modes(bohr, program, products, MODES_OF_MORE, first, sampled_of(first.options), folder)
    if "first" not in program.modes:
        for each in tier.sample(f"{name}: more", more, RUNS_OF_MORE):
            run_more(bohr, program, ways, each, folder)


def run_more(bohr, program, ways, each, folder):
    """A run with other arguments: among the modes, with clang, and with another strategy."""
    options = with_most(each.options, EXECUTIONS_OF_MORE)
    name = f"{program.path.name} {each.options}"
    parts = tier.sample(name, ["modes", "clang"] + (["random"] if sampled_of(options) else []))
    carriers = {mode: MODES_OF_MORE[mode] for mode in ("reset", "kernel threads, fork")}

    def compare(way, modes, count, chosen):
        products = products_of(f"{name}: {way}", [way], modes, count)
        shown = compare_modes(bohr, program, products, modes, each, chosen, folder)
        if shown or "reset" not in modes:
            return shown
        others = {mode: modes[mode] for mode in modes if mode != "reset"}  # which cannot undo what the program does
        return compare(way, others, count, chosen)

    found = compare(ways[0], MODES_OF_MORE, SAMPLED_MORE if "modes" in parts else 0, options)
    if "clang" in parts:
        also = compare(ways[1], carriers, 0, options)
        if differ(found, also):
            raise Failure(expected=f"{found['findings']} (as with gcc)",
                          actual=f"{also['findings']} with clang", again=options)
    if "random" in parts:
        compare(ways[0], carriers, SAMPLED_MORE, sampled_of(options))


def names_a_mode(options):
    return re.search(r"--isolate (?!reset)|--carrier kernel", options) is not None


def builds_and_runs(program):
    """What is done of the runs with each build."""
    if tier.TIER == "check":
        runs = [each for each in program.runs if program.is_checked and not names_a_mode(each.options)]
        return [(program.builds[0], each) for each in tier.sample(program.path.name, runs, CHECKED_RUNS)]
    return tier.paired(program.path.name, program.builds, program.runs)


def run(bohr, path, keep):
    program = Program(path)
    with tempfile.TemporaryDirectory(prefix="bohr-test-") as temporary:
        folder = pathlib.Path(keep or temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        os.environ["TMPDIR"] = temporary  # what a program leaves behind goes with it
        for each in program.runs:
            if not each.expectations:
                raise Failure(expected="at least one expectation for each run",
                              actual=f"none for 'run: {each.options}'")
        for way, each in builds_and_runs(program):
            result = Result(bohr, program, build(bohr, program, way, folder), each.options, folder)
            result.check(each.expectations)
            if program.replays:
                replay_all(bohr, program, result, each.options, folder)
        if program.modes and tier.TIER != "check":
            run_modes(bohr, program, folder)


def main():
    parser = argparse.ArgumentParser(description="run bohr on programs that say what to expect")
    parser.add_argument("--bohr", default="build/bin/bohr")
    parser.add_argument("--keep", help="folder in which programs and results are left")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    failed = 0
    for path in arguments.programs:
        try:
            run(os.path.abspath(arguments.bohr), path.resolve(), arguments.keep)
            print(f"ok   {path.name}")
        except Failure as failure:
            failed += 1
            print(f"FAIL {path.name}")
            failure.story["alone"] = f"tests/run_programs.py --keep /tmp/keep {path}"
            for name, text in failure.story.items():
                print(f"     {name:<10} " + str(text).replace("\n", "\n" + " " * 16))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
