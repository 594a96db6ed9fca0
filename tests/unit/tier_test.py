#!/usr/bin/env python3
"""tests/support/tier.py: samples repeat, have the size that was asked for, and together take everything; `all` leaves
nothing out. The programs of tests/programs together take every build in every mode."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUPPORT = ROOT / "tests" / "support"
CALLS = """
import json, sys
sys.path.insert(0, sys.argv[1])
import tier
names = [f"test {i}" for i in range(200)]
print(json.dumps({
    "by_tier": tier.by_tier(1, 2, 3),
    "samples": {f"{size} {count}": [tier.sample(name, range(size), count) for name in names]
                for size in (1, 2, 3, 12, 21) for count in (1, 2, 5)},
    "paired": {f"{ways} {things}": [tier.paired(name, range(ways), range(things)) for name in names]
               for ways in (1, 2, 3) for things in (1, 2, 5)},
    "part": tier.part(range(10)), "portion": list(tier.portion(range(10))),
}))
"""
PRODUCTS = """
import json, pathlib, sys
sys.path.insert(0, sys.argv[1])
import run_programs
found = []
for path in sorted(pathlib.Path(sys.argv[1], "programs").glob("*.c")):
    program = run_programs.Program(path)
    kinds = ["gcc", "clang"] + (["none", "plain-tsan"] if "preload" in program.modes else [])
    if program.modes:
        found += run_programs.products_of(path.name, kinds, run_programs.MODES, run_programs.SAMPLED_FIRST)
print(json.dumps(found))
"""


def call(script, folder, tier, part=None):
    environment = dict(os.environ, BOHR_TIER=tier, **({"BOHR_PART": part} if part else {}))
    if part is None:
        environment.pop("BOHR_PART", None)
    done = subprocess.run([sys.executable, "-B", "-c", script, folder], capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        fail("it runs", done.stdout + done.stderr)
    return json.loads(done.stdout)


def fail(expected, actual):
    sys.exit(f"FAIL tests/support/tier.py\n     expected   {expected}\n     actual     {actual}")


def expect(condition, expected, actual):
    if not condition:
        fail(expected, actual)


def check_samples():
    sampled, everything = call(CALLS, SUPPORT, "test"), call(CALLS, SUPPORT, "all")
    expect([call(CALLS, SUPPORT, tier)["by_tier"] for tier in ("check", "test", "all")] == [1, 2, 3], "by_tier: 1, 2, 3", "others")
    expect(call(CALLS, SUPPORT, "test") == sampled, "the same samples twice", "others")
    for key, samples in sampled["samples"].items():
        size, count = map(int, key.split())
        expect(all(len(sample) == min(size, count) and sample == sorted(sample) for sample in samples), f"{count} of {size}, in order", samples)
        expect({thing for sample in samples for thing in sample} == set(range(size)), f"all of {size} by some name", samples)
        expect(all(sample == list(range(size)) for sample in everything["samples"][key]), "everything in `all`", key)
    for key, pairs in sampled["paired"].items():
        ways, things = map(int, key.split())
        for each in pairs:
            expect(sorted(thing for _, thing in each) == list(range(things)) and len({way for way, _ in each}) == min(ways, things),
                   f"each of {things} once, {ways} ways in turns", each)
        expect({way for each in pairs for way, _ in each} == set(range(ways)), "every way by some name", pairs)
        expect(all(len(each) == ways * things for each in everything["paired"][key]), "all pairs in `all`", key)


def check_parts():
    parts = [call(CALLS, SUPPORT, "all", f"{number}/3") for number in range(3)]
    for name in ("part", "portion"):
        expect(sorted(sum((part[name] for part in parts), [])) == list(range(10)), f"{name}: each of ten in one of three", parts)
        expect(len(call(CALLS, SUPPORT, "test", "1/3")[name]) == 10, f"{name}: a sample is not divided", "fewer than ten")


def check_products():
    wanted = {tuple(product) for product in call(PRODUCTS, ROOT / "tests", "all")}
    taken = {tuple(product) for product in call(PRODUCTS, ROOT / "tests", "test")}
    expect(taken == wanted, "every build in every mode by some program", f"none takes {sorted(wanted - taken)}")
    print(f"ok   {len(wanted)} products of builds and modes, each taken by some program")


def check_bad_input():
    done = subprocess.run([sys.executable, "-B", "-c", CALLS, SUPPORT], capture_output=True, text=True, env=dict(os.environ, BOHR_TIER="none"))
    expect(done.returncode == 1 and len(done.stderr.splitlines()) == 1 and "check, test, all" in done.stderr,
           "one sentence about an unknown tier", done.stderr)


check_samples()
check_parts()
check_products()
check_bad_input()
