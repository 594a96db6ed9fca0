#!/usr/bin/env python3
"""Each strategy has a picture on its page, and tools/strategy-trees draws those of which it says so: trees in which a
systematic search has run every leaf, and a reduction one of each class."""
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

LEAVES, CLASSES = 20, 7
OTHERWISE = {"exitblock": "exitblock-tree", "stateful": "states"}  # drawn by other tools


def check_page(bench):
    page = (ROOT / "docs" / "STRATEGIES.md").read_text()
    pictures = set(re.findall(r"\]\(figures/([^)]+)\.svg\)", page))
    names = [line.split()[0] for line in run([bench.bohr, "list", "strategies"]).output.splitlines() if line.strip()]
    for name in names:
        family = name.split("-")[0]
        wanted = OTHERWISE.get(family, f"tree-{name}")
        if wanted not in pictures:
            fail("each strategy has a picture", strategy=name, expected=f"figures/{wanted}.svg", actual=sorted(pictures))
    for name in pictures:
        if not (ROOT / "docs" / "figures" / f"{name}.svg").is_file():
            fail("a picture that is not there", actual=name)
    print(f"ok   {len(names)} strategies have pictures")


def numbers_of(path):
    """The places that are written under the leaves."""
    root = xml.etree.ElementTree.parse(path).getroot()
    return sorted(int(item.text) for item in root.iter("{http://www.w3.org/2000/svg}text")
                  if item.get("font-weight") == "bold")


def check_drawn(bench):
    target = bench.folder / "figures"
    target.mkdir()
    done = run([ROOT / "tools" / "strategy-trees", "--bohr", bench.bohr, "--target", target])
    if done.status != 0:
        fail("pictures are drawn", command=shown(done.command), actual=done.status, output=done.text())
    for name in ("dfs", "depth", "preempt", "delay", "best"):
        if numbers_of(target / f"tree-{name}.svg") != list(range(1, LEAVES + 1)):
            fail(f"{name} runs each once", expected=LEAVES, actual=numbers_of(target / f"tree-{name}.svg"))
    if len(numbers_of(target / "tree-dpor.svg")) != CLASSES:
        fail("dpor runs one of each class", expected=CLASSES, actual=numbers_of(target / "tree-dpor.svg"))
    print("ok   trees are drawn")


def check(bench):
    check_page(bench)
    check_drawn(bench)


bench_run(check)
