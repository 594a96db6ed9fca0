#!/usr/bin/env python3
"""tests/run_corpus.py fails when it should: a tool that always answers the same is asked about
heads that do not hold, and about heads that are not complete."""
import os
import pathlib
import subprocess
import sys
import tempfile

RUNNER = pathlib.Path(__file__).resolve().parent.parent / "run_corpus.py"
TOOL = """#!/usr/bin/env -S python3 -IS
import json, sys
command, arguments = sys.argv[1], sys.argv[2:]
if command == "cc":
    if "-DBROKEN" in arguments:
        sys.exit("program.c:1: error: no such thing")
    open(arguments[arguments.index("-o") + 1], "w").close()
elif command == "run":
    strategy = arguments[arguments.index("-s") + 1]
    bound = {"preempt": 1, "delay": 2}.get(strategy, 0)
    asked = int(arguments[arguments.index("-b") + 1]) if "-b" in arguments else 99
    found = asked >= bound
    findings = [{"kind": kind, "severity": "error", "replay": "x.bohr", "preemptions": PREEMPTIONS,
                 "fewest_preemptions": PREEMPTIONS == 2}
                for kind in KINDS] if found else []
    json.dump({"threads": 3, "executions": 7, "classes": 5, "complete": True, "findings": findings,
               "per_bound": [{"bound": at} for at in range(min(asked, bound) + 1)]},
              open(arguments[arguments.index("--json") + 1], "w"))
    sys.exit(1 if findings else 0)
elif command == "replay":
    json.dump({"findings": [{"kind": kind} for kind in KINDS]}, sys.stdout)
    sys.exit(1 if arguments[1] == "fibers" else REPLAY_STATUS)
"""
HEAD = {"group": "cs", "threads": "3", "finds": "deadlock", "pb": "1", "db": "2"}


def head(**changes):
    keys = {**HEAD, **changes}
    return "// Goes wrong.\n" + "".join(f"// {key}: {value}\n" for key, value in keys.items()
                                        if value is not None)


def run(text, kinds, preemptions, replay_status):
    with tempfile.TemporaryDirectory() as folder:
        tool, program = pathlib.Path(folder, "bohr"), pathlib.Path(folder, "program.c")
        tool.write_text(TOOL.replace("KINDS", repr(kinds)).replace("PREEMPTIONS", str(preemptions))
                        .replace("REPLAY_STATUS", str(replay_status)))
        tool.chmod(0o755)
        program.write_text(text)
        result = subprocess.run([sys.executable, "-B", RUNNER, "--bohr", tool, program],
                                capture_output=True, text=True, env=dict(os.environ, BOHR_TIER="all"))
        return result.returncode, result.stdout + result.stderr


def expect(text, status, story, kinds=("race", "deadlock"), preemptions=1, replay_status=1):
    got, output = run(text, list(kinds), preemptions, replay_status)
    if got != status or story not in output:
        sys.exit(f"FAIL {text!r}\n     expected   status {status}, output with '{story}'\n"
                 f"     actual     status {got}, output:\n{output}")


expect(head(), 0, "ok   program")
expect(head(pb="-", db="-"), 0, "ok   program")
expect(head(), 1, "when replayed on kernel", replay_status=0)
expect(head(), 0, "ok   program", preemptions=2)  # another way to show it, proved to need two
expect(head(pb="0"), 1, "none in 7 executions")
expect(head(pb="2"), 1, "found at 1")
expect(head(db="1"), 1, "none in 7 executions")
expect(head(db="3"), 1, "found at 2")
expect(head(pb="0", beyond="pb"), 0, "ok   program", preemptions=0)
expect(head(pb="0", beyond="pb"), 1, "at most 0 preemptions", preemptions=1)
expect(head(pb="0", beyond="pb"), 1, "at most 0 preemptions", preemptions=5)
expect(head(), 1, "at most 1 preemptions", preemptions=5)
expect(head(threads="4"), 1, "4 threads")
expect(head(finds="assertion"), 1, "deadlock")
expect(head(finds="assertion, deadlock"), 0, "ok   program")
expect(head(finds="assertion, deadlock"), 1, "at most 1 preemptions", preemptions=5)
expect(head(finds="race", db="-"), 1, "deadlock")
expect(head(finds="race", db="-"), 0, "ok   program", kinds=["race"])
expect(head(finds="race", db="-", pb="2"), 1, "nothing at bound 1", kinds=["race"])
expect(head(finds="nothing", pb="-", db="-"), 1, "nothing to be found", kinds=["race"])
expect(head(finds="nothing", pb="-", db="-"), 0, "ok   program", kinds=[])

RIGHT = {"finds": "nothing", "pb": "-", "db": "-"}
expect(head(**RIGHT, classes="5"), 0, "ok   program", kinds=[])
expect(head(**RIGHT, classes="4"), 1, "at most 4 classes", kinds=[])
expect(head(**RIGHT, classes="6"), 1, "6 classes and no more", kinds=[])
expect(head(**RIGHT, classes="6", beyond="classes"), 1, "6 classes and no more", kinds=[])
expect(head(**RIGHT, classes="5", beyond="classes"), 0, "ok   program", kinds=[])
expect(head(build="-DBROKEN"), 1, "does not compile with gcc: program.c:1: error: no such thing")

variants = head(variants="a -DA") + "// variants: b -DB\n"
expect(variants, 0, "ok   b")
expect(variants + "// pb b: 0\n", 1, "ok   a\nFAIL b")
expect(variants + "// pb c: 0\n", 1, "a variant that is not there")

expect(head(group=None), 1, "does not say group")
expect(head(threads=None, finds=None), 1, "does not say threads, finds")
expect(head(group="other"), 1, "not 'other'")
expect(head(threads="many"), 1, "'many' is no number of threads")
expect(head(finds="bug"), 1, "not 'bug'")
expect(head(pb="-1"), 1, "pb is a number or -, not '-1'")
expect(head(options='--exit "wait'), 1, "options cannot be read")
expect(head(variants=""), 1, "names none")
expect(head(beyond="x"), 1, "beyond is some of pb, db, classes")
expect(head(classes="many"), 1, "is no number of classes")
expect(head() + "// pb: 1\n", 1, "says pb twice")
expect(head() + "// why: because\n", 1, "is none of the keys")
expect(head().replace("// Goes wrong.\n", ""), 1, "does not begin with what goes wrong")
