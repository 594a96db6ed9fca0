#!/usr/bin/env python3
"""--sarif is valid by the official schema of SARIF 2.1.0, for findings of many kinds. The schema is not ours: `make
test-all` gets it (tools/sarif-schema); without it, or without Debian's python3-jsonschema, this is skipped."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from engine import bench_run, fail, run, skip  # noqa: E402

PYTHON = "/usr/bin/python3"  # whose packages are Debian's
VALIDATE = """
import json, sys
import jsonschema
schema, *results = [json.load(open(path)) for path in sys.argv[1:]]
checker = jsonschema.Draft7Validator(schema)
for path, result in zip(sys.argv[2:], results):
    for error in checker.iter_errors(result):
        print(path, list(error.absolute_path), error.message[:200])
"""
PROGRAMS = {"examples/lost_update.c": ["-k"], "examples/lock_order.c": [], "examples/reference_count.c": [],
            "examples/if_instead_of_while.c": [], "corpus/mcs_lock.c": [], "corpus/ctrace.c": ["--exit", "wait"],
            "corpus/lost_wakeup.c": []}


def validate(schema, results):
    done = subprocess.run([PYTHON, "-c", VALIDATE, schema, *results], capture_output=True, text=True)
    return done.stdout + done.stderr


def check(bench):
    schema = pathlib.Path(bench.bohr).resolve().parent.parent / "sarif-2.1.0.json"
    if not schema.exists():
        skip("there is no schema: make test-all gets it")
    if subprocess.run([PYTHON, "-c", "import jsonschema"], capture_output=True).returncode != 0:
        skip("python3-jsonschema is not installed")
    results = []
    for number, (source, options) in enumerate(PROGRAMS.items()):
        program, result = bench.folder / f"program-{number}", bench.folder / f"{number}.sarif"
        bench.must([bench.bohr, "cc", "-o", program, ROOT / source])
        run([bench.bohr, "run", "--no-progress", "-o", bench.folder / "out", "--sarif", result, *options, program])
        results.append(result)
    wrong = validate(schema, results)
    if wrong:
        fail("SARIF", expected="results that are valid by the schema", actual=wrong)
    broken = bench.folder / "broken.sarif"
    broken.write_text(results[0].read_text().replace('"runs"', '"walks"', 1))
    if not validate(schema, [broken]):
        fail("SARIF", expected="a broken result to be noticed", actual="nothing")
    print(f"ok   {len(results)} results are valid by the schema")


bench_run(check)
