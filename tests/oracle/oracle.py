"""Builds the oracle and programs for it, runs both searches, and compares what they show.

One object file is linked twice: with Bohr's runtime, and with the oracle's (runtime/*.c). A file holds many programs;
the number of the one to run is its argument."""
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))

# Names that programs call and the oracle replaces although libc calls them, too: the linker renames the programs' calls.
WRAPPED = ["__libc_start_main", "exit", "_exit", "malloc", "calloc", "free", "posix_memalign", "memset", "memcpy",
           "memmove", "read", "write", "close", "pipe", "pipe2", "poll", "dup", "fcntl", "eventfd", "signal", "raise", "kill", "sigaction", "fork",
           "waitpid", "wait", "alarm"]
BUILDS = [(compiler, level) for compiler in ("gcc", "clang") for level in ("-O0", "-O1", "-O2")]


def command(words, **settings):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **settings)
    if done.returncode != 0:
        raise SystemExit(f"FAIL {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Builder:
    """Object files, and the two executables of each."""

    def __init__(self, bohr, folder):
        self.bohr, self.folder = pathlib.Path(bohr), pathlib.Path(folder)
        self.runtime = self.folder / "oracle.o"
        parts = []
        for source in sorted((HERE / "runtime").glob("*.c")):
            part = self.folder / f"oracle-{source.stem}.o"
            command(["gcc", "-O2", "-g0", "-fno-builtin", "-fno-pie", "-fno-stack-protector", "-Wall", "-Wextra", "-Werror", "-c", source,
                     "-o", part])
            parts.append(part)
        command(["ld", "-r", "-o", self.runtime, *parts])
        renamed = [f"--redefine-sym={name}=__real_{name}" for name in WRAPPED if name != "__libc_start_main"]
        command(["objcopy", *renamed, self.runtime])
        self.outcome = self.folder / "outcome.o"
        command([self.bohr, "cc", "-O0", "-c", HERE / "outcome.c", "-o", self.outcome])

    def build(self, name, source, compiler, level):
        path = self.folder / f"{name}.c"
        path.write_text(source)
        thing = self.folder / f"{name}.o"
        command([self.bohr, "cc", "-g", level, "-w", "-c", path, "-o", thing], env={**os.environ, "BOHR_CC": compiler})
        command([self.bohr, "cc", thing, self.outcome, "-o", self.folder / name])
        wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
        command(["gcc", "-no-pie", "-Wl,-z,now", *wraps, thing, self.outcome, self.runtime, "-o", self.folder / f"{name}.oracle"])
        return self.folder / name

    def symbols(self, name):
        """Global variables of the program: (address, size, name), for naming what races."""
        found = []
        for line in command(["nm", "-S", self.folder / f"{name}.oracle"]).splitlines():
            words = line.split()
            if len(words) == 4 and words[2] in "bBdD":
                found.append((int(words[0], 16), int(words[1], 16), words[3]))
        return found


def enumerate_file(builder, name, count, limit):
    """The oracle's answers to all programs of a file: as POSIX lets them yield, and where yields are fair.

    The second answer of a program that never yields, or that is too large, is the first one."""
    output = command([builder.folder / f"{name}.oracle", 0, count, limit])
    results = [json.loads(line) for line in output.splitlines()]
    plain = {result["program"]: result for result in results if not result["fair"]}
    fair = plain | {result["program"]: result for result in results if result["fair"]}
    return [Oracle(builder, name, [answers[number] for number in range(count)]) for answers in (plain, fair)]


class Oracle:
    """What the oracle says of the programs of one file."""

    def __init__(self, builder, name, raw):
        self.raw = raw
        self.symbols = builder.symbols(name)
        sites = sorted({site for result in self.raw for site in self.sites_of(result)})
        answer = command(["addr2line", "-e", builder.folder / f"{name}.oracle"],
                         input="\n".join(hex(int(site, 16) - 1) for site in sites) + "\n").splitlines()
        self.lines = {site: int(re.sub(r" .*", "", text).rsplit(":", 1)[1].replace("?", "0")) for site, text in zip(sites, answer)}

    @staticmethod
    def sites_of(result):
        for text, _ in result["findings"] + result["findings_at_races"]:
            yield from re.findall(r"0x[0-9a-f]+", text)
        for race in result["races"] + result["races_at_races"]:
            yield from race[1:3]

    def object_at(self, address):
        address = int(address, 16)
        for start, size, name in self.symbols:
            if start <= address < start + size:
                return name
        return "elsewhere"

    def outcomes(self, result, which="findings"):
        found = set()
        for text, _ in result[which]:
            kind, *rest = text.split()
            if kind == "assertion":
                found.add(("assertion", int(rest[0].rsplit(":", 1)[1])))
            elif kind == "deadlock":
                found.add(("deadlock", tuple(sorted((int(word.split("@")[0]), self.lines[word.split("@")[1]]) for word in rest))))
            elif kind == "exit":
                found.add(("exit", int(rest[0])))
            else:
                found.add((kind, self.lines[rest[0]]))
        return found

    def races(self, result, which="races"):
        return {(self.object_at(race[0]), *sorted((self.lines[race[1]], self.lines[race[2]]))) for race in result[which]}


LIMIT_SHORT, LIMIT_LONG, LIMIT_RANDOM = 20_000, 1_000_000, 20_000 # interleavings of one program

# Searches that claim to be complete; ends of executions and races must be those of the oracle.
STRATEGIES = {
    "dpor": ["-s", "dpor"],
    "dpor -j 2": ["-s", "dpor", "-j", "2"],
    "dpor all": ["-s", "dpor", "--points", "all"],
    "bpor": ["-s", "bpor", "-b", "63"],
    "bpor -j 2": ["-s", "bpor", "-b", "63", "-j", "2"],
    "preempt": ["-s", "preempt", "-b", "63"],
    "preempt -j 2": ["-s", "preempt", "-b", "63", "-j", "2"],
    "delay": ["-s", "delay", "-b", "63"],
    "dfs": ["-s", "dfs"],
    "dfs all": ["-s", "dfs", "--points", "all"],
    "dfs -j 2": ["-s", "dfs", "-j", "2"],
    "best classic": ["-s", "best", "--reduction", "classic"],
    "exitblock": ["-s", "exitblock"],
}
# Here every access is a step, also where no other thread accesses the memory.
ALL_POINTS = {"dpor all", "dfs all"}
# These run every interleaving.
ENUMERATING = {"preempt", "preempt -j 2", "delay", "dfs", "dfs all", "dfs -j 2"}
# So a claim says that threads that yield were held back (docs/COUNTING.md, rule 9).
GIVES_WAY = "after each yield, sleep and repeated timeout of a thread every other one had a step"
HEAP = ("use-after-free", "double-free", "heap", "bad-free", "invalid-free")


def bohr_run(bohr, program, number, options, folder, seconds=3600):
    words = [bohr, "run", "-k", "-q", "--no-shrink", "--no-explain", "--always", "stop", "-o", folder / "out", "--json", "-", *options, program, number]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=seconds, cwd=folder)
    try:
        return json.loads(done.stdout), words
    except json.JSONDecodeError:
        raise SystemExit(f"FAIL {' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}") from None


def bohr_outcomes(result):
    found = set()
    for finding in result["findings"]:
        kind = finding["kind"]
        if kind == "assertion":
            found.add(("assertion", finding["line"]))
        elif kind == "deadlock":
            found.add(("deadlock",))
        elif kind in HEAP:
            found.add(("heap", finding["line"]))
        elif kind == "misuse" and finding["severity"] == "error":
            found.add(("misuse", finding["line"]))
        elif kind != "race" and finding["severity"] == "error":
            found.add((kind, finding["message"], finding["line"]))
    return found


def object_name(text, known):
    """The variable that TEXT begins with. Clang gives variables of its own making names with dots (h.0.body)."""
    names = [re.match(pattern, text or "") for pattern in (r"[\w.]+", r"\w+")]
    return next((name.group(0) for name in names if name is not None and name.group(0) in known), "elsewhere")


def bohr_races(result, known):
    found = set()
    for finding in result["findings"]:
        if finding["kind"] == "race":
            lines = [int(line) for line in re.findall(r"\([^()]*?(?:line |:)(\d+)\)", finding["why"])]
            found.add((object_name(finding["object"], known), *sorted(lines[-2:])))
    return found


def differences(oracle, expected, result, reinitialised=False, which=""):
    """What Bohr's result shows otherwise than the oracle's, as (what, missing, surplus).

    The same objects must race, and no pair of lines may be shown that does not. A pair may be missing: Bohr keeps the last
    write of a location, the oracle that of each thread. That an object is initialised again, or used after, is a misuse to
    Bohr; the oracle knows of no misuse but those of thread handles. WHICH of the oracle's findings and races count: those of
    all shared accesses as steps, or ("_at_races") of those that race."""
    found = []
    outcomes = {("deadlock",) if outcome[0] == "deadlock" else outcome for outcome in oracle.outcomes(expected, "findings" + which)}
    shown = {outcome for outcome in bohr_outcomes(result) if not (reinitialised and outcome[0] == "misuse")}
    outcomes = {outcome for outcome in outcomes if not (reinitialised and outcome[0] == "misuse")}
    if shown != outcomes:
        found.append(("outcomes", outcomes - shown, shown - outcomes))
    races = oracle.races(expected, "races" + which)
    shown = bohr_races(result, {name for _, _, name in oracle.symbols})
    if {race[0] for race in shown} != {race[0] for race in races}:
        found.append(("races", races - shown, shown - races))
    elif shown - races:
        found.append(("pairs", set(), shown - races))
    return found
