#!/usr/bin/env python3
"""The pages of docs/detectors show programs and what bohr says of them: both are as they are now. A block after a link
to examples/detectors is that file; one that begins with `$ bohr run` is the first finding of that run. Each program
is right with -DFIXED. Every detector has a page, and every kind of finding is shown by one.
--update rewrites the pages; the diff is read like code."""
import argparse
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from run_golden import ROOT, plain  # noqa: E402

PAGES = ROOT / "docs" / "detectors"
EXAMPLES = ROOT / "examples" / "detectors"
SOURCE = re.compile(r"(\(\.\./\.\./examples/detectors/([\w.]+)\):\n\n```\w+\n)(.*?)(?=```\n)", re.S)
OUTPUT = re.compile(r"(```\n\$ bohr run ([^\n]*)\n)(.*?)(?=```\n)", re.S)


def run(bohr, source, flags, words):
    compiler = "cc" if source.suffix == ".c" else "c++"
    with tempfile.TemporaryDirectory(prefix="bohr-test-") as name:
        folder = pathlib.Path(name)
        subprocess.run([bohr, compiler, "-O1", "-w", *flags, "-o", folder / source.stem,
                        source.relative_to(ROOT)], check=True, cwd=ROOT)
        done = subprocess.run([bohr, "run", "--no-progress", *words], cwd=folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, NO_COLOR="1"))
        return plain(done.stdout + done.stderr, folder), done.returncode


def first_finding(report):
    """Up to the command that runs it again, or all but the summary."""
    match = re.match(r".*?\n  run it again: .*?\n|.*?(?=\nresult )", report, re.S)
    return match.group(0) if match else report


class Pages:
    def __init__(self, bohr):
        self.bohr = bohr
        self.failed = []

    def fail(self, what):
        self.failed.append(what)
        print(f"FAIL {what}")

    def program(self, words):
        return next(path for path in EXAMPLES.iterdir() if path.stem == words[-1].removeprefix("./"))

    def told(self, match):
        words = shlex.split(match.group(2))
        source = self.program(words)
        right, status = run(self.bohr, source, ["-DFIXED"], words)
        if status != 0 or not re.search(r"^result +nothing wrong found$", right, re.M):
            self.fail(f"{source.name} with -DFIXED\n     expected   nothing is found\n     actual     {right}")
        report, _ = run(self.bohr, source, [], words)
        return match.group(1) + first_finding(report)

    def page(self, path, update):
        before = path.read_text()
        after = SOURCE.sub(lambda match: match.group(1) + (EXAMPLES / match.group(2)).read_text(), before)
        after = OUTPUT.sub(self.told, after)
        if after == before:
            return after
        if update:
            path.write_text(after)
        else:
            self.fail(f"{path.relative_to(ROOT)}\n     again      make golden, then git diff docs/detectors")
            sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), after.splitlines(True), "page", "now"))
        return after

    def complete(self, texts):
        listed = subprocess.run([self.bohr, "list", "detectors"], capture_output=True, text=True, check=True).stdout
        for line in listed.splitlines():
            if line.split()[0] not in texts:
                self.fail(f"docs/detectors has no page for the detector {line.split()[0]}")
        kinds = re.findall(r'^FINDING\(\w+, "([\w-]+)"', (ROOT / "src/core/finding.def").read_text(), re.M)
        shown = set(re.findall(r"bohr replay bohr-out/([\w-]+)-1\.bohr", "".join(texts.values())))
        for kind in kinds:
            if kind not in shown:
                self.fail(f"docs/detectors shows no finding of kind {kind}")
            if f"`{kind}`" not in texts["README"]:
                self.fail(f"docs/detectors/README.md does not name {kind}")
        for name in texts:
            if name != "README" and f"({name}.md)" not in texts["README"]:
                self.fail(f"docs/detectors/README.md has no link to {name}.md")
        for source in EXAMPLES.iterdir():
            if f"({'../../examples/detectors/'}{source.name})" not in "".join(texts.values()):
                self.fail(f"no page shows {source.name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bohr", default="build/bin/bohr")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only", metavar="NAME", help="this page alone")
    arguments = parser.parse_args()
    pages = Pages(os.path.abspath(arguments.bohr))
    texts = {path.stem: pages.page(path, arguments.update) for path in sorted(PAGES.glob("*.md"))
             if arguments.only in (None, path.stem)}
    if arguments.only is None:
        pages.complete(texts)
    sys.exit(1 if pages.failed else 0)


if __name__ == "__main__":
    main()
