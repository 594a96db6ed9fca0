#!/usr/bin/env python3
"""tests/run_programs.py fails when it should: with a tool that always answers the same, expectations
that do not hold are noticed and the story is told."""
import os
import pathlib
import subprocess
import sys
import tempfile

RUNNER = pathlib.Path(__file__).resolve().parent.parent / "run_programs.py"
TOOL = """#!/usr/bin/env python3
import json, sys
command, arguments = sys.argv[1], sys.argv[2:]
if command == "cc":
    open(arguments[arguments.index("-o") + 1], "w").close()
elif command == "run":
    result = {"executions": 42, "claim": {"kind": "all"}, "per_bound": [{"executions": 3}],
              "findings": [{"kind": "race", "severity": "error", "replay": "race-1.bohr",
                            "why": WHY}]}
    json.dump(result, open(arguments[arguments.index("--json") + 1], "w"))
    print("data race on   counter")
    sys.exit(1)
elif command == "replay":
    json.dump({"findings": [{"kind": "race"}]}, sys.stdout)
    sys.exit(1 if arguments[1] == "fibers" else REPLAY_STATUS)
"""


def run(head, replay_status=1, why="nothing orders them"):
    with tempfile.TemporaryDirectory() as folder:
        tool, program = pathlib.Path(folder, "bohr"), pathlib.Path(folder, "program.c")
        tool.write_text(TOOL.replace("REPLAY_STATUS", str(replay_status)).replace("WHY", repr(why)))
        tool.chmod(0o755)
        program.write_text(head)
        result = subprocess.run([sys.executable, "-B", RUNNER, "--bohr", tool, program],
                                capture_output=True, text=True,
                                env=dict(os.environ, BOHR_TIER="all"))
        return result.returncode, result.stdout + result.stderr


def expect(head, status, text, **more):
    got, output = run(head, **more)
    if got != status or text not in output:
        sys.exit(f"FAIL {head!r}\n     expected   status {status}, output with '{text}'\n"
                 f"     actual     status {got}, output:\n{output}")


expect("// expect: finding race\n", 0, "ok")
expect("// expect: finding race\n// expect: executions 42\n// expect: claim.kind == all\n"
       "// expect: per_bound[0].executions == 3\n// expect: output race on counter\n", 0, "ok")
expect("// expect: finding race\n// expect: executions 43\n", 1, "executions is 42")
expect("// expect: finding race\n// expect: executions <= 41\n", 1, "executions is 42")
expect("// expect: finding race\n// expect: claims == 1\n", 1, "no such field")
expect("// expect: finding deadlock\n", 1, "findings: race")
expect("// expect: no finding\n", 1, "exit status 1")
expect("// expect: exit 1\n// expect: no finding\n", 1, "findings: race")
expect("// expect: exit 3\n", 1, "exit status 1")
expect("// expect: finding race\n// expect: output deadlock\n", 1, "a report without it")
expect("// run: -s dfs\n", 1, "at least one expectation")
expect("// run: -s dfs\n// expect: finding race\n// run: -s random\n// expect: finding hang\n", 1,
       "findings: hang")
expect("// expect: finding race\n", 1, "when replayed on kernel", replay_status=0)
expect("// expect: finding race\n", 1, "a sentence that says why", why=None)
