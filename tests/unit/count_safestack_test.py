#!/usr/bin/env python3
"""The preemptions that safestack's head says are the fewest that its text allows, and so are the six until two threads
have the same cell."""
import pathlib
import sys

tests = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(tests / "support"))
sys.path.insert(0, str(tests.parent / "tools"))
import corpus_program  # noqa: E402
import count_safestack  # noqa: E402

(program,) = corpus_program.read_programs(tests.parent / "corpus" / "safestack.c")
said = program.bounds["preempt"]
counted, shared = count_safestack.fewest()
if said != counted:
    print(f"FAIL safestack\n     expected   pb: {counted}\n     actual     pb: {said}")
    sys.exit(1)
if shared != 6:
    print(f"FAIL safestack, until two threads have the same cell\n     expected   6\n     actual     {shared}")
    sys.exit(1)
