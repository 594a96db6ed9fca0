"""A program of the corpus: what its head says (see corpus/README.md), and how it is built."""
import os
import pathlib
import re
import shlex
import subprocess

GROUPS = ["cs", "chess", "misc", "inspect", "cb", "parsec", "radbench", "splash2", "cbound",
          "reduction", "idioms", "large"]
KINDS = ["assertion", "deadlock", "livelock", "crash", "uncaught-exception", "hang", "race",
         "lockset", "lock-order", "misuse", "use-after-free", "double-free", "invalid-free",
         "mismatched-free", "out-of-bounds", "uninitialised", "leak", "atomicity", "exit", "output",
         "nondeterminism", "use-after-return", "signal-unsafe"]
KEYS = ["group", "threads", "finds", "pb", "db", "options", "args", "build", "twin", "variants",
        "beyond", "classes", "lines"]
NEEDED = ["group", "threads", "finds", "pb", "db"]
BUILD_SECONDS = 120


class Wrong(Exception):
    """One sentence about a program that cannot be used."""


class Program:
    """One program, or one variant of a source that stands for several."""

    def __init__(self, path, source, name, flags, keys):
        self.path, self.source, self.name = path, source, name
        self.flags = flags + words(name, keys, "build")
        self.group, self.twin = keys["group"], keys.get("twin")
        self.threads = int(keys["threads"])
        self.finds = [] if keys["finds"] == "nothing" else keys["finds"].split(", ")
        self.bounds = {"preempt": bound_of(keys["pb"]), "delay": bound_of(keys["db"])}
        self.beyond = [{"pb": "preempt", "db": "delay"}.get(word, word)
                       for word in keys.get("beyond", "").split()]
        self.classes = int(keys["classes"]) if "classes" in keys else None
        self.lines = [int(line) for line in keys.get("lines", "").split()]
        self.options = words(name, keys, "options")
        self.arguments = words(name, keys, "args")

    def build(self, bohr, compiler, target, more=()):
        """Builds it with `bohr cc`, not optimised, as the study did."""
        is_c = self.path.suffix == ".c"
        environment = dict(os.environ, BOHR_CC=compiler,
                           BOHR_CXX={"gcc": "g++", "clang": "clang++"}[compiler])
        command = [str(bohr), "cc" if is_c else "c++", "-O0", *more, *self.flags, "-o", str(target),
                   str(self.path)]
        try:
            done = subprocess.run(command, env=environment, capture_output=True, text=True,
                                  errors="replace", timeout=BUILD_SECONDS)
        except subprocess.TimeoutExpired:
            raise Wrong(f"{self.name} does not compile within {BUILD_SECONDS} seconds "
                        f"({shlex.join(command)})")
        if done.returncode != 0 or (more and done.stderr):
            lines = (done.stdout + done.stderr).strip().splitlines() or ["no message"]
            first = next((line for line in lines if "error" in line or "warning" in line), lines[0])
            raise Wrong(f"{self.name} does not compile with {compiler}: {first}")


def words(name, keys, key):
    try:
        return shlex.split(keys.get(key, ""))
    except ValueError as error:
        raise Wrong(f"{name}: {key} cannot be read: {error}")


def bound_of(text):
    return None if text == "-" else int(text)


def read_head(path, source):
    """The prose of the head and its (key, variant or None, value) in order."""
    prose, entries = [], []
    for line in source.splitlines():
        if not line.startswith("//"):
            break
        match = re.fullmatch(r"// (\w+)(?: (\w+))?:(?: (.*))?", line)
        if match and match.group(1) in KEYS:
            entries.append((match.group(1), match.group(2), (match.group(3) or "").strip()))
        elif entries:
            raise Wrong(f"{path.name}: '{line}' is none of the keys {', '.join(KEYS)}")
        else:
            prose.append(line[2:].strip())
    return " ".join(prose).strip(), entries


def check(name, keys):
    missing = [key for key in NEEDED if key not in keys]
    if missing:
        raise Wrong(f"{name}: its head does not say {', '.join(missing)}")
    if keys["group"] not in GROUPS:
        raise Wrong(f"{name}: the group is one of {', '.join(GROUPS)}, not '{keys['group']}'")
    if not keys["threads"].isdigit() or int(keys["threads"]) < 1:
        raise Wrong(f"{name}: '{keys['threads']}' is no number of threads")
    kinds = keys["finds"].split(", ")
    if keys["finds"] != "nothing" and not all(kind in KINDS for kind in kinds):
        raise Wrong(f"{name}: finds is 'nothing' or kinds of findings, not '{keys['finds']}'")
    for key in ("pb", "db"):
        if not re.fullmatch(r"-|\d+", keys[key]):
            raise Wrong(f"{name}: {key} is a number or -, not '{keys[key]}'")
    if not re.fullmatch(r"\d+( \d+)*", keys.get("lines", "1")):
        raise Wrong(f"{name}: lines are numbers, not '{keys['lines']}'")
    if not re.fullmatch(r"\d+", keys.get("classes", "0")):
        raise Wrong(f"{name}: '{keys['classes']}' is no number of classes")
    if not set(keys.get("beyond", "").split()) <= {"pb", "db", "classes"}:
        raise Wrong(f"{name}: beyond is some of pb, db, classes, not '{keys['beyond']}'")


def read_programs(path):
    """All programs that a source stands for."""
    path = pathlib.Path(path)
    try:
        source = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise Wrong(f"{path}: {error.strerror if isinstance(error, OSError) else 'not text'}")
    prose, entries = read_head(path, source)
    if not prose:
        raise Wrong(f"{path.name}: its head does not begin with what goes wrong")
    variants = {}
    for key, variant, value in entries:
        if key == "variants":
            split = words(path.name, {key: value}, key)
            if not split:
                raise Wrong(f"{path.name}: a line with variants names none")
            variants[split[0]] = split[1:]
    common, own = {}, {name: {} for name in variants}
    for key, variant, value in entries:
        if variant is not None and variant not in variants:
            raise Wrong(f"{path.name}: '{key} {variant}' speaks of a variant that is not there")
        if key != "variants":
            keys = common if variant is None else own[variant]
            if key in keys:
                raise Wrong(f"{path.name}: its head says {key} twice")
            keys[key] = value
    programs = []
    for name, flags in (variants or {path.stem: []}).items():
        keys = {**common, **own.get(name, {})}
        check(name, keys)
        programs.append(Program(path, source, name, flags, keys))
    return programs


def read_corpus(folder):
    """Every program of a folder, in the order of the names of their sources."""
    programs = []
    for path in sorted(pathlib.Path(folder).iterdir()):
        if path.suffix in (".c", ".cc"):
            programs += read_programs(path)
    names = [program.name for program in programs]
    for program in programs:
        if names.count(program.name) > 1:
            raise Wrong(f"two programs are called {program.name}")
        if program.twin is not None and program.twin not in names:
            raise Wrong(f"{program.name}: its twin {program.twin} is not in {folder}")
    return programs
