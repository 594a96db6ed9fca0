#!/usr/bin/env python3
"""Manual pages name every option and command, help has topics, files are written whether or not somebody reads, any stack will do."""
import json
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from engine import bench_run, fail, run  # noqa: E402

def pages(bench):
    folder = bench.folder / "man"
    bench.must([sys.executable, "-B", ROOT / "tools" / "man-pages", bench.bohr, folder])
    for command in ("run", "replay", "explain", "plot"):
        text = (folder / f"bohr-{command}.1").read_text().replace("\\-", "-")
        options = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", bench.must([bench.bohr, command, "--help"]).output,
                             re.MULTILINE)
        missing = [option for option in options if not re.search(rf"^\.B .*{option}\b", text, re.MULTILINE)]
        if missing or not options:
            fail(f"bohr-{command}(1)", expected="every option", actual=f"without {missing}")
    commands = re.findall(r"^  bohr (\S+)", bench.must([bench.bohr, "help"]).output, re.MULTILINE)
    text = (folder / "bohr.1").read_text()
    if not commands or any(f"bohr {command}" not in text for command in commands):
        fail("bohr(1)", expected=commands, actual=text)
    if shutil.which("man"):
        for page in sorted(folder.glob("*.1")):
            done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                                  env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "100"})
            if done.returncode != 0 or done.stderr or "NAME" not in done.stdout:
                fail(page.name, expected="a page without complaints", actual=done.stderr or done.stdout)
    print("ok   manual pages")


def topics(bench):
    for topic in re.findall(r"^  bohr (\S+)", bench.must([bench.bohr, "help"]).output, re.MULTILINE):
        if f"bohr {topic}" not in bench.must([bench.bohr, "help", topic]).output:
            fail(f"bohr help {topic}", expected="how it is called", actual="nothing")
    done = run([bench.bohr, "help", "rum"])
    if done.status != 2 or "rum" not in done.errors:
        fail("bohr help rum", expected="a sentence, and exit status 2", actual=done.text())
    for words, hint in ((["run", "--stratgy", "dfs"], "--strategy"), (["replay", "--jsn"], "--json"), (["rnu"], "run")):
        done = run([bench.bohr, *words])
        if done.status != 2 or f"there is {hint}" not in done.errors or len(done.errors.splitlines()) != 1:
            fail(" ".join(words), expected=f"one sentence that names {hint}", actual=done.text())
    print("ok   help by topic, and hints")


def reader_stops(bench):
    """Who reads the report stops after its first line: what goes to files is there."""
    result = bench.folder / "early.json"
    bench.must([bench.bohr, "cc", "-o", bench.folder / "early", ROOT / "examples" / "lost_update.c"])
    subprocess.run(f"{shlex.quote(str(bench.bohr))} run --no-progress --full -o {bench.folder}/out --json {result} "
                   f"{bench.folder}/early | head -n 1", shell=True, stdout=subprocess.DEVNULL, check=True)
    if json.loads(result.read_text())["verdict"] != "bug":
        fail("a reader that stops", expected="the result in its file", actual=result.read_text())
    print("ok   a reader that stops")


def any_stack_limit(bench):
    """A program is searched the same way whatever `ulimit -s` says."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    program = bench.build("limits", (ROOT / "examples" / "lost_update.c").read_text())
    counts = {}
    for limit in (8 << 20, 1 << 30, resource.RLIM_INFINITY):
        if hard in (resource.RLIM_INFINITY, limit):
            result = bench.explore(["-s", "dfs", "-k", "--no-shrink"], program,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (limit, hard)))
            counts[limit] = (result["executions"], result["fingerprint"], result["classes"])
    if len(set(counts.values())) > 1:
        fail("another limit of the stack", expected="the same counts", actual=counts)
    print(f"ok   {len(counts)} limits of the stack")


def check(bench):
    any_stack_limit(bench)
    reader_stops(bench)
    topics(bench)
    pages(bench)


bench_run(check)
