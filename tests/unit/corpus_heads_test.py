#!/usr/bin/env python3
"""The corpus has at least eighty programs with bugs, all those of the study and some idioms with twins among them, and their heads agree with it: threads and, where it
found the bug, the bound; where it did not, the bound is not below the one that it had reached."""
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import corpus_program  # noqa: E402


def differences(program, study):
    if program.threads != int(study["threads"]):
        yield f"{study['threads']} threads", f"{program.threads}"
    for strategy, bound in program.bounds.items():
        reached = int(study[f"{strategy}_bound"])
        if study[f"{strategy}_first"] and bound != reached:
            yield f"to be found at bound {reached} of {strategy}", f"{bound}"
        elif bound is not None and bound < reached:
            yield f"not to be found below bound {reached} of {strategy}", f"{bound}"


LEAST = 80
# The idioms that must be there, each with a twin that is right.
IDIOMS = ["bounded_buffer", "thread_pool", "lazy_instance", "rcu_list", "hazard_stack", "seqlock", "ticket_lock",
          "mpmc_ring", "futex_mutex", "event_count"]
failed = False
programs = {program.name: program for program in corpus_program.read_corpus(ROOT / "corpus")}
faulty = sum(bool(program.finds) for program in programs.values())
if faulty < LEAST:
    print(f"FAIL the corpus\n     expected   {LEAST} programs with bugs\n     actual     {faulty}")
    failed = True
for program in programs.values():
    count = len(program.source.splitlines())
    if (program.finds and not program.lines) or any(not 0 < line <= count for line in program.lines):
        print(f"FAIL {program.name}\n     expected   the lines of its bug\n     actual     {program.lines}")
        failed = True
for name in IDIOMS:
    twin = programs.get(programs[name].twin) if name in programs else None
    if twin is None or not programs[name].finds or twin.finds:
        print(f"FAIL {name}\n     expected   a bug, and a twin without it\n     actual     {twin and twin.finds}")
        failed = True
with open(ROOT / "corpus" / "published.csv", newline="") as file:
    published = {row["program"]: row for row in csv.DictReader(file)}
for name, study in published.items():
    if name not in programs:
        print(f"FAIL {name}\n     expected   a program after the study's\n     actual     none")
        failed = True
        continue
    for expected, actual in differences(programs[name], study):
        print(f"FAIL {name}\n     expected   {expected}, as in the study\n     actual     {actual}")
        failed = True
sys.exit(1 if failed else 0)
