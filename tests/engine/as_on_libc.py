#!/usr/bin/env python3
"""Programs whose assertions hold whatever the schedule does are run without Bohr, on the real libc:
what the models return is what libc returns."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, shown  # noqa: E402

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"
# the program, and the arguments of each run
RUNS = [
    ("cancel_asynchronous.c", [[]]),
    ("cancel_points.c", [["sem"], ["join"], ["sigwait"], ["sleep"], ["nanosleep"], ["poll"]]),
    ("cancel_returns.c", [[]]),
    ("cancel_unwinds.cpp", [[]]),
    ("cancel_waiter_has_mutex.c", [[]]),
    ("crash_handled_by_program.c", [[], ["mends"]]),
    ("mutex_attributes.c", [[]]),
    ("robust_mutex.c", [[], ["lost"]]),
    ("robust_mutex_returns.c", [[]]),
    ("signal_broken_pipe.c", [["handled"], ["ignored"]]),
    ("signal_during_wait.c", [["cond"], ["barrier"], ["futex"]]),
    ("signal_handlers.c", [[]]),
    ("signal_interrupts.c", [["sem"], ["restart"], ["lock"]]),
    ("signal_loops_end.c", [["flag"], ["yield"], ["pending"], ["alarm"]]),
    ("signal_to_process.c", [[]]),
    ("sigwait_thread.c", [[]]),
    ("timer_create_signals.c", [[]]),
    ("timer_starts_threads.c", [[], ["twice"]]),
]


def check(bench):
    for name, runs in RUNS:
        source = PROGRAMS / name
        program = bench.folder / source.stem
        compiler = "g++" if source.suffix == ".cpp" else "gcc"
        built = run([compiler, "-O0", "-pthread", "-o", program, source])
        if built.status != 0:
            fail(name, expected="it builds", command=shown(built.command), output=built.text())
        for arguments in runs:
            done = run([program, *arguments])
            if done.status != 0:
                fail(name, expected="exit status 0 on the real libc", actual=done.status,
                     command=shown(done.command), output=done.text())
        print(f"ok   {name}")


bench_run(check)
