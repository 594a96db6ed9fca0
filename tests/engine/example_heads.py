#!/usr/bin/env python3
"""The heads of examples/ quote what Bohr says of them, in short: each line of that is in the report as it is now, in
the same order, and each step is in the column of its thread."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from engine import bench_run, fail, run  # noqa: E402

EXAMPLES = ROOT / "examples"
STEP = re.compile(r" *(\d+|waits)? +(\S.*)")


def quoted(path):
    """The indented lines after "Bohr says, in short:"; none if the head says it in prose."""
    lines, inside = [], False
    for line in path.read_text().splitlines():
        text = re.sub(r"^ ?(\*|//) ?", "", line)
        if "Bohr says, in short:" in text:
            inside = True
        elif inside and text.startswith("expect:"):
            break
        elif inside:
            lines.append(text)
    return [line for line in lines if line.strip()]


def words_of(line):
    return " ".join(line.split())


def items_of(lines):
    """Lines as words; those below a head of columns as (number, thread, words)."""
    items, columns = [], None
    for line in lines:
        if line.split()[:1] == ["step"]:
            columns = [(match.start(), match[0]) for match in re.finditer(r"T\d+|thread and operation", line)]
            continue
        match = STEP.fullmatch(line) if columns else None
        if match is None:
            items.append(words_of(line))
            continue
        before = [name for start, name in columns if start <= match.start(2)]
        items.append((match[1], before[-1] if before else None, words_of(match[2])))
    return items


def report_of(bench, path):
    done = run([bench.bohr, "run", "--no-progress", "-o", bench.folder / "out", path.name], cwd=path.parent)
    if done.status != 1:
        fail(path.name, expected="exit status 1", actual=done.text())
    return done.output


def check_head(bench, path):
    report = report_of(bench, path)
    lines = [line for line in report.splitlines() if line.strip()]
    steps = [item for item in items_of(lines) if isinstance(item, tuple)]
    text, at, step = words_of(report), 0, 0
    for item in items_of(quoted(path)):
        if isinstance(item, tuple):
            if item not in steps[step:]:
                fail(path.name, expected=f"the step {item}, as its head quotes it", report=report)
            step = steps.index(item, step) + 1
        elif item not in text[at:]:
            fail(path.name, expected=f"`{item}`, as its head quotes it", report=report)
        else:
            at = text.index(item, at)
    return step


def check(bench):
    count = 0
    for path in sorted([*EXAMPLES.glob("*.c"), *EXAMPLES.glob("*.cpp")]):
        if not quoted(path):
            continue
        steps = check_head(bench, path)
        if steps < 3:
            fail(path.name, expected="a head that quotes steps", actual=steps)
        count += 1
        print(f"ok   {path.name}: {steps} steps")
    if count < 6:
        fail("the heads of examples", expected="six that quote a report, or more", actual=count)


bench_run(check)
