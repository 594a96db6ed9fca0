"""What the scripts in tests/engine share: building programs, running bohr without ever hanging,
comparing results, and telling the story of a failure."""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from replay import Replays, replay_finding

SKIPPED = 77
SECONDS = 3600  # a limit for a command that hangs, no part of any verdict: a busy machine may be slow
COUNTS = ["executions", "steps", "classes", "fingerprint", "buggy", "first_bug", "cut", "restarts",
          "per_bound", "complete", "verdict"]


def what_bounds_show(result):
    """All of a search within bounds that does not depend on which executions stand for a class, nor on how many."""
    classes = [(row["bound"], row["classes"]) for row in result["per_bound"]]
    return [result["claim"]["kind"], result["claim"]["value"], result["complete"], result["verdict"],
            result["classes"], classes]


class Done:
    """A command that has ended."""

    def __init__(self, command, status, output, errors):
        self.command, self.status = command, status
        self.output, self.errors = output, errors

    def text(self):
        return self.output + self.errors


def shown(command):
    return " ".join(str(word) for word in command)


def fail(title, **story):
    print(f"FAIL {title}")
    for name, value in story.items():
        print(f"     {name:<10} {value}")
    sys.stdout.flush()
    sys.exit(1)


def skip(reason):
    print(f"SKIP {reason}")
    sys.exit(SKIPPED)


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it ended in between


def where_it_waits(process):
    """Each thread's state and the system call that it is in, as the kernel tells."""
    lines = []
    for task in sorted(pathlib.Path(f"/proc/{process.pid}/task").glob("*")):
        try:
            state = (task / "stat").read_text().rsplit(")", 1)[1].split()[0]
            lines.append(f"{task.name} {state} {(task / 'wchan').read_text()} "
                         f"{(task / 'syscall').read_text().strip()}")
        except OSError:
            pass  # it ended in between
    return "; ".join(lines)


def command_start(command, **settings):
    settings.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, errors="replace",
                            start_new_session=True, **settings)


def command_end(process, command, seconds=SECONDS):
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        waits = where_it_waits(process)
        kill_group(process)
        output, errors = process.communicate()
        fail("a command does not end", command=shown(command), expected=f"an end within {seconds} s",
             waits=waits, output=output + errors)
    return Done(command, process.returncode, output, errors)


def run(command, seconds=SECONDS, **settings):
    return command_end(command_start(command, **settings), command, seconds)


def children(process):
    try:
        text = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def wait_until(title, condition, process=None):
    """Waits for an event, not for the clock: until CONDITION() holds, or PROCESS has ended."""
    deadline = time.monotonic() + SECONDS
    while not condition():
        if process is not None and process.poll() is not None:
            return
        if time.monotonic() > deadline:
            fail("an event does not come", expected=title, actual=f"none within {SECONDS} s")
        time.sleep(0.005)


def cpu_seconds(process):
    """Processor time that a process has used so far; 0 once it has ended."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def workers_computed(process, seconds, workers=1):
    """So many workers of the tool have computed for so long: their searches are under way."""
    return sum(cpu_seconds(child) >= seconds for child in children(process.pid)) >= workers


def findings_of(result):
    """What a finding is, without how often and where it was written to."""
    return sorted((f["kind"], f["severity"], f["message"], f["file"] or "", f["line"] or 0,
                   f["count"]) for f in result["findings"])


def runs_everywhere(source):
    """The program of tests/programs says that it runs in all isolation modes, on both carriers."""
    text = source.read_text()
    by_hand = ["--isolate fork --carrier kernel", "--isolate exec --carrier kernel"]
    return (re.search(r"^// modes: all", text, re.M) is not None
            or all(re.search(f"^// run: .*{way}", text, re.M) for way in by_hand))


class Bench:
    """A temporary folder, and the tool to be tested."""

    def __init__(self, bohr, folder):
        self.bohr, self.folder = bohr, folder
        self.number = 0
        self.replays = Replays(bohr)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def must(self, command, **settings):
        done = run(command, **settings)
        if done.status != 0:
            fail("a command fails", command=shown(command), expected="exit status 0",
                 actual=done.status, output=done.text())
        return done

    def build(self, name, source, flags=(), compiler=None):
        """Builds NAME from the text SOURCE, through `bohr cc` unless a compiler is named."""
        path = self.write(name + (".cpp" if "std::" in source else ".c"), source)
        if compiler is None:
            compiler = [self.bohr, "c++" if path.suffix == ".cpp" else "cc"]
        program = self.folder / name
        self.must([*compiler, "-g", "-O1", *flags, "-o", program, path, "-pthread"])
        return program

    def command(self, options, program, arguments=()):
        """Programs need not tidy up, unless the options look for it."""
        self.number += 1
        output = self.folder / f"out-{self.number}"
        report = self.folder / f"result-{self.number}.json"
        explain = [] if "--html" in options else ["--no-explain"]
        return [self.bohr, "run", "--no-progress", *explain, "--detect", "-untidy", "-o", output, "--json", report,
                *options, program, *arguments], report

    def explore(self, options, program, arguments=(), status=None, seconds=SECONDS, **settings):
        """The JSON result of one search."""
        command, report = self.command(options, program, arguments)
        return self.result(run(command, seconds, **settings), report, status, **settings)

    def result(self, done, report, status=None, **settings):
        """What a search that has ended says; findings that are new come out the same again."""
        wanted = (0, 1) if status is None else status if isinstance(status, tuple) else (status,)
        if done.status not in wanted or not report.exists():
            fail("a search ends otherwise than it should", command=shown(done.command),
                 expected=f"exit status {' or '.join(map(str, wanted))} and a JSON file",
                 actual=f"exit status {done.status}", output=done.text())
        result = json.loads(report.read_text())
        settings.pop("stdin", None)
        story = self.replays.problem(result["program"], result["findings"], done.command, **settings)
        if story is not None:
            fail("a replay", search=shown(done.command), **story)
        return result

    def compare(self, title, wanted, got, fields=COUNTS, **story):
        for name in fields:
            if wanted[name] != got[name]:
                fail(title, expected=f"{name} {wanted[name]}", actual=f"{name} {got[name]}",
                     **story)

    def replay_all(self, title, result, options=()):
        """Every finding comes out the same again, on both carriers."""
        for finding in result["findings"]:
            story = replay_finding(self.bohr, finding, options)
            if story is not None:
                fail(f"{title}: a replay", finding=f"{finding['kind']} {finding['message']}", **story)


def bench_run(check):
    """Calls CHECK with a bench, in a folder that is gone afterwards, with what programs make where they are started."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bohr", default="build/bin/bohr", type=pathlib.Path)
    parser.add_argument("--keep", action="store_true", help="leave the temporary folder")
    arguments = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    for name in ("BOHR_OPTIONS", "BOHR_CC", "BOHR_CXX"):
        os.environ.pop(name, None)
    folder, bohr = pathlib.Path(tempfile.mkdtemp(prefix="bohr-test-")), arguments.bohr.resolve()
    (folder / "caller").mkdir()
    os.chdir(folder / "caller")
    try:
        check(Bench(bohr, folder))
    finally:
        if arguments.keep:
            print(f"kept {folder}")
        else:
            shutil.rmtree(folder)


def sentence_of(errors):
    """Standard error without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", errors).strip()
