#!/usr/bin/env python3
"""Each function that the runtime replaces is listed, and called by a program of tests/programs that
runs in all isolation modes and on both carriers; the manual has the same list."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
from engine import bench_run, fail, runs_everywhere  # noqa: E402

MANUAL = ROOT / "docs/functions.md"
# names of which glibc has the first before version 2.38, and gives programs the second since then
EITHER = {f"__isoc99_{name}": f"__isoc23_{name}"
          for name in ("scanf", "vscanf", "fscanf", "vfscanf", "sscanf", "vsscanf")}
# what the runtime exports for others than the program: instrumentation, start-up and our own names
NOT_LISTED = re.compile(r"__tsan_\w+|bohr_\w+|Annotate\w+|__libc_start_main")


def functions_of(bench):
    done = bench.must([bench.bohr, "list", "functions"])
    return [line.split(None, 2) for line in done.output.splitlines()]


def called_by(bench, source):
    """What the compiled program takes from libraries, whatever its text looks like."""
    compiler = ["g++", "-std=c++20"] if source.suffix == ".cpp" else ["gcc"]
    target = bench.folder / (source.stem + ".o")
    bench.must([*compiler, "-c", "-O1", "-fno-builtin", "-fno-inline",
                f"-I{ROOT / 'include'}", "-o", target, source])
    listing = bench.must(["nm", "--undefined-only", "--format=just-symbols", target]).output
    return set(listing.split())


def check_list(bench, listed):
    library = bench.bohr.parent.parent / "lib/bohr/libtsan.so.2"
    command = ["nm", "--dynamic", "--defined-only", "--format=just-symbols", library]
    exported = {name.split("@")[0] for name in bench.must(command).output.split()}
    exported = {name for name in exported if not NOT_LISTED.fullmatch(name)}
    if exported != set(listed) or len(listed) != len(set(listed)):
        twice = {name for name in listed if listed.count(name) > 1}
        fail("the list of functions is not what the runtime exports",
             expected=f"each of them once, also {', '.join(sorted(exported - set(listed))) or '-'}",
             actual=f"too many: {', '.join(sorted(set(listed) - exported | twice)) or '-'}")
    print(f"ok   {len(listed)} functions are listed")


def check_manual(bench):
    wanted = bench.must([ROOT / "tools/functions-table", bench.bohr]).output
    if not MANUAL.exists() or MANUAL.read_text() != wanted:
        fail("the table of functions in docs/functions.md", expected="what bohr list functions says",
             actual="something else", hint="make golden")
    print("ok   the manual has them")


def check(bench):
    functions = functions_of(bench)
    check_list(bench, [row[1] for row in functions])
    check_manual(bench)
    wanted = {row[1] for row in functions if row[0] != "refused"}
    missing = set(wanted)
    words = {source: set(re.findall(r"\w+", source.read_text())) for source in sorted((ROOT / "tests/programs").glob("*.c*"))
             if runs_everywhere(source)}
    while missing and words:  # that one first whose text names most of them: few have to be compiled
        source = max(words, key=lambda each: (len(words[each] & missing), each.suffix == ".cpp"))  # the rest is of libstdc++
        del words[source]
        missing -= called_by(bench, source)
        for pair in EITHER.items():
            if len(missing & set(pair)) == 1:
                missing -= set(pair)
    if missing:
        fail("functions without a program that calls them in all modes", expected="none",
             actual=", ".join(sorted(missing)),
             hint="write one in tests/programs, with `// modes: all`")
    print(f"ok   {len(wanted) - len(missing)} functions are called")


bench_run(check)
