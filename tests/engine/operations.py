#!/usr/bin/env python3
"""The table of operations (core/op.def): the manual shows it, a row without all columns or with a contradiction does not
compile, and a column that is broken on purpose (--fault) shows in what the tool says."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
MANUAL = ROOT / "docs/operations.md"
TABLE = ROOT / "src/core/op.def"

LOCKED = """
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int data;
static void *work(void *unused)
{
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""

# A row is changed by replacing the first text by the second; the compiler then says the third.
CONTRADICTIONS = [
    ("MUTEX_LOCK", "DEPENDS(WRITE, READ, OBJECT, NOTHING, ACQUIRE)", "DEPENDS(NONE, NONE, OBJECT, NOTHING, ACQUIRE)",
     "MUTEX_LOCK synchronises, so it must access an object or name a thread"),
    ("MUTEX_LOCK", "RUNS(MUTEX,", "RUNS(NEVER,", "MUTEX_LOCK takes a lock, so it must wait or be able to fail"),
    ("MUTEX_TRYLOCK", "DEPENDS(WRITE, READ,", "DEPENDS(WRITE, NONE,",
     "MUTEX_TRYLOCK can fail, so its row must say how it then accesses its object"),
    ("READ", "DEPENDS(READ,", "DEPENDS(WRITE,", "READ reads memory, so its access must be READ"),
    ("SEM_WAIT", "SEMAPHORE, POSITIVE", "NOTHING, POSITIVE",
     "SEM_WAIT is possible in some states only, so its state must be known"),
    ("SLEEP", "DEPENDS(NONE, NONE, OBJECT, CLOCK", "DEPENDS(NONE, NONE, OBJECT, NOTHING",
     "SLEEP moves the clock, so `second` must say whether a thread looks at it"),
    ("SPIN_LOCK", ", NO, NO, NOTHING))", ", YES, NO, NOTHING))", "SPIN_LOCK may have to wait, so it is not steady"),
    ("MUTEX_LOCK", ", NOTHING, ACQUIRE)", ", ACQUIRE)", "requires 5 arguments"),
    ("ATOMIC_LOAD", "RUNS(AWAITING, ", "RUNS(", "requires 8 arguments"),
    ("FREE", "SEARCH(FREE,", "SEARCH(", "requires 6 arguments"),
]


def compile_table(bench, table):
    folder = bench.folder / "table"
    (folder / "core").mkdir(parents=True, exist_ok=True)
    (folder / "core/op.def").write_text(table)
    for name in ("op.c", "op.h"):
        (folder / "core" / name).write_text((ROOT / "src/core" / name).read_text())
    return subprocess.run(["cc", "-std=c17", "-fsyntax-only", f"-I{folder}", f"-I{ROOT / 'src'}",
                           folder / "core/op.c"], capture_output=True, text=True)


def changed(table, row, old, new):
    start = table.index(f"\nOP({row},")
    end = table.find("\nOP(", start + 1)
    end = len(table) if end < 0 else end
    text = table[start:end]
    if old not in text:
        fail(f"the row {row} of core/op.def", expected=f"'{old}' in it", actual=text.strip())
    return table[:start] + text.replace(old, new, 1) + table[end:]


def check_rows(bench):
    table = TABLE.read_text()
    plain = compile_table(bench, table)
    if plain.returncode != 0:
        fail("the table as it is", expected="to compile", actual=plain.stderr)
    for row, old, new, sentence in CONTRADICTIONS:
        result = compile_table(bench, changed(table, row, old, new))
        if result.returncode == 0 or sentence not in result.stderr:
            fail(f"a row {row} with '{new}' in place of '{old}'", expected=sentence, actual=result.stderr[:400])
    print(f"ok   {len(CONTRADICTIONS)} wrong rows do not compile")


def check_manual(bench):
    wanted = bench.must([ROOT / "tools/operations-table", bench.bohr]).output
    if not MANUAL.exists() or MANUAL.read_text() != wanted:
        fail("the table in docs/operations.md", expected="what bohr list operations says", actual="something else",
             hint="make golden")
    rows = re.findall(r"^OP\((\w+),", TABLE.read_text(), re.M)
    listed = re.findall(r"^\| `(\w+)`", wanted, re.M)
    if rows[1:] != listed:
        fail("the rows in docs/operations.md", expected=", ".join(rows[1:]), actual=", ".join(listed))
    print(f"ok   the manual has {len(listed)} operations")


def check_faults(bench):
    source = bench.folder / "locked.c"
    source.write_text(LOCKED)
    program = bench.folder / "locked"
    bench.must([bench.bohr, "cc", "-g", "-o", program, source])
    for fault, expected in ((None, 0), ("sync:lock", 1), ("sync:unlock", 1), ("sync:join", 0), ("enabled:create", 1),
                            ("enabled:unlock", 1)):
        command = [bench.bohr, "run", "-s", "dfs", "--no-explain", "-o", bench.folder / "out"]
        command += ["--fault", fault] if fault else []
        result = subprocess.run(command + [program], capture_output=True, text=True)
        if result.returncode != expected:
            fail(f"--fault {fault}", expected=f"exit status {expected}",
                 actual=f"exit status {result.returncode}\n{result.stdout}{result.stderr}")
    wrong = subprocess.run([bench.bohr, "run", "--fault", "colour:lock", program], capture_output=True, text=True)
    if wrong.returncode != 2 or "takes a kind of operation such as lock" not in wrong.stderr:
        fail("--fault colour:lock", expected="one sentence, exit status 2", actual=wrong.stderr)
    print("ok   broken columns show")


def check(bench):
    check_rows(bench)
    check_manual(bench)
    check_faults(bench)


bench_run(check)
