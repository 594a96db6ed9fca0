#!/usr/bin/env python3
"""tools/time-to-bug: its counts are those of the searches that it names, programs with short executions are left out,
and its part of a page takes the place of the one before; tools/corpus leaves it there."""
import importlib.machinery
import pathlib
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools" / "time-to-bug"
LIMIT = 20


def make(bench, *words, status=0, tool=TOOL):
    done = run([tool, "--bohr", bench.bohr, *words])
    if done.status != status:
        fail("it ends otherwise than it should", command=shown(done.command), expected=f"exit status {status}",
             actual=done.status, output=done.text())
    return done


def cells_of(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def check_table(bench):
    text = make(bench, "-n", str(LIMIT), "-j", "1", "timer_wheel", "settings_seqlock", "qsort_mt", "lazy01").output
    head, _, *rows, part, total = [cells_of(line) for line in text.splitlines()]
    if [row[0] for row in rows] != ["qsort_mt", "settings_seqlock *", "timer_wheel *"]:
        fail("programs of more than a hundred steps, those of the set with a star", actual=[row[0] for row in rows])
    searches = {"`mdpor,pb` reduced, symmetric": ["--symmetry", "--reduction", "classic"], "depth first, 2 preemptions": ["-b", "2", "--priority", "df"],
                "`near` reduced": ["--reduction", "classic", "--priority", "near"]}
    for row in rows[1:]:
        row[0] = row[0].removesuffix(" *")
        program = bench.build(row[0], (ROOT / "corpus" / "large" / f"{row[0]}.c").read_text(), ["-O0"])
        for name, options in searches.items():
            options = ["-n", str(LIMIT), "-s", "best", *options, "--exit", "wait"]
            result = bench.explore(options, program)
            expected = str(result["first_bug"] or "×")
            if row[head.index(name)] != expected:
                fail(f"{row[0]}, {name}", expected=expected, actual=row[head.index(name)], options=options)
    for index, name in enumerate(head[3:], 3):
        for line, some in ((part, rows[1:]), (total, rows)):
            found = sum(row[index] != "×" for row in some)
            if line[index] != f"**{found}**":
                fail(f"how many {name} finds", expected=found, actual=line[index])
    if "×" not in text or "**2**" not in text:
        fail("something is found and something is not", actual=text)
    print(f"ok   {len(rows)} programs, {len(head) - 3} searches")


def check_wrong(bench):
    page = bench.folder / "page.md"
    for words, sentence in ((["no_such"], "no program 'no_such'"), (["-n", "0"], "--limit must be"),
                            (["--page", page], "no page"), (["--page", page, "lazy01"], "all programs")):
        said = make(bench, *words, status=2).errors.strip()
        if sentence not in said or "\n" in said:
            fail(f"time-to-bug {words}", expected=sentence, actual=said)
    print("ok   bad input")


def script(name):
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "tools" / name))
    module = types.ModuleType(loader.name)
    module.__file__ = loader.path
    loader.exec_module(module)
    return module


def check_part(bench):
    sys.path.insert(0, str(ROOT / "tools"))
    tool, page = script("time-to-bug"), bench.folder / "part.md"
    page.write_text("# A page\n\ntext\n")
    for part in ("one\n", "two\n"):
        tool.put_part(page, part)
    expected = "# A page\n\ntext\n\n" + tool.BEGIN + "two\n" + tool.END
    kept = script("corpus").PARTS.findall(page.read_text())
    if page.read_text() != expected or kept != [tool.BEGIN + "two\n" + tool.END]:
        fail("a part of a page", expected=expected, actual=page.read_text(), kept=kept)
    print("ok   one part of a page, which tools/corpus keeps")


def check_verdict(bench):
    """Of three programs of the set, and one that is not."""
    tool = script("time-to-bug")
    programs = tool.read_programs()
    names = ["timer_wheel", "settings_seqlock", "log_rotation", "safestack"]

    def said(best, plain):
        return tool.verdict_of([(programs[name], 101, {tool.BEST: one, tool.PLAIN: other})
                                for name, one, other in zip(names, best, plain)], 100)
    for best, plain, words in (([5, 9, 2, None], [1, 30, 60, 1], "from there up to 59 "),
                               ([5, 9, 2, None], [None, None, 7, 1], "from there up to 100 ")):
        if words not in " ".join(said(best, plain).split()) or "finds 3 within 100" not in said(best, plain):
            fail("for which limits it holds", expected=words, actual=said(best, plain))
    for best, plain in (([5, None, 2, 1], [1, 30, 60, 1]), ([5, 61, 2, 1], [1, 30, 60, 1])):
        if "At any limit" in said(best, plain):
            fail("there is no such limit", actual=said(best, plain))
    print("ok   for which limits it holds")


def check(bench):
    check_part(bench)
    check_verdict(bench)
    check_table(bench)
    check_wrong(bench)


bench_run(check)
