#!/usr/bin/env python3
"""Programs as Debian ships them, not built for us: each writes in every execution what it writes
when it works serially, and a second search goes the same ways."""
import os
import pathlib
import random
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import SECONDS, bench_run, fail, shown, skip  # noqa: E402

SAMPLED, BOUNDED = tier.by_tier(30, 60, 300), tier.by_tier(10, 20, 40)
WORDS = ["alpha", "beta", "gamma", "delta", "epsilon"]

# program, its input, how it works with several threads, what makes that serial, how to undo it
PROGRAMS = [
    ("pigz", "text", ["-n", "-p", "3", "-b", "32", "-c"], ["-p", "1"], ["-dc"]),
    ("pbzip2", "runs", ["-p3", "-b1", "-1", "-c"], ["-p1"], ["-dc"]),
    ("xz", "text", ["-T3", "-0", "--block-size=16384", "-c"], ["-T+1"], ["-dc"]),
    ("zstd", "long", ["-q", "-1", "-T3", "-B512KB", "-c"], ["-T1"], ["-dcq"]),
    ("lbzip2", "blocks", ["-n3", "-1", "-c"], ["-n1"], ["-dc"]),
    ("sort", "lines", ["--parallel=2", "-S", "12M"], ["--parallel=1"], None),
]


def native(command, **settings):
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=SECONDS,
                          stdin=settings.pop("stdin", subprocess.DEVNULL), **settings)
    if done.returncode != 0:
        fail("a program of Debian's fails by itself", command=shown(command),
             output=done.stderr.decode(errors="replace"))
    return done.stdout


def make_inputs(folder):
    random.seed(7)
    text = "".join(f"{random.choice(WORDS)} {random.randrange(10000)}\n" for _ in range(6000))
    lines = "".join(f"{n * 7919 % 10}\n" for n in range(1 << 17))  # fewer are sorted by one thread
    inputs = {"text": text, "blocks": text + text[:len(text) * 3 // 4],
              "runs": "".join(str(n % 10) * 250 + f"{n}\n" for n in range(900)),
              "long": text * 25, "lines": lines}
    for name, content in inputs.items():
        (folder / name).write_text(content)


def check_program(bench, name, source, options, serial, undo):
    program, path = shutil.which(name), bench.folder / source
    expected = bench.folder / f"{name}-expected"
    # a later option of the same name wins
    expected.write_bytes(native([program, *options, *serial, path]))
    if undo is not None:
        with open(expected, "rb") as packed:
            if native([program, *undo], stdin=packed) != path.read_bytes():
                fail(f"{name}: what it packs is not what it unpacks")
    settings = ["--expect-output", expected]
    arguments = [*options, path]
    results = [bench.explore(["-s", "random", "-n", SAMPLED, *settings], program, arguments, 0)
               for _ in range(2)]
    bench.compare(f"{name}: a second search differs", *results)
    if results[0]["executions"] != SAMPLED or results[0]["threads"] < 2:
        fail(f"{name}: the search is not the one asked for",
             expected=f"{SAMPLED} executions with several threads", actual=results[0])
    bounded = bench.explore(["-s", "preempt", "-n", BOUNDED, *settings], program, arguments, 0)
    if bounded["executions"] != BOUNDED:
        fail(f"{name}: the search is not the one asked for",
             expected=f"{BOUNDED} executions", actual=bounded)
    print(f"{name}: {results[0]['threads']} threads, at most {results[0]['max_steps']} steps, "
          f"{results[0]['classes']} classes, {results[0]['wall_seconds']:.1f} s")


def check(bench):
    os.environ["LC_ALL"] = "C"
    make_inputs(bench.folder)
    missing = [row[0] for row in PROGRAMS if shutil.which(row[0]) is None]
    for row in PROGRAMS:
        if row[0] not in missing:
            check_program(bench, *row)
    if missing:
        skip(f"not installed: {', '.join(missing)} ({len(missing)} of {len(PROGRAMS)} programs)")


bench_run(check)
