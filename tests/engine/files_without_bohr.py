#!/usr/bin/env python3
"""Programs about files where only one outcome is possible give it without Bohr, too: what the models
return is what Linux returns."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import SECONDS  # noqa: E402

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"
# with the arguments of each run that ends well
RUNS = {
    "pipe_returns": [[]], "eventfd_returns": [[]], "timerfd_returns": [[]], "poll_returns": [[]],
    "socketpair_returns": [[]], "tcp_returns": [[]], "udp_returns": [[]], "file_streams": [[]],
    "pipe_wakes": [[]], "eventfd_wakes": [["semaphore"]],
    "pipe_write_waits": [["long"], ["atomic"]], "accept_waits": [[], ["unix"]],
    "accept_ends": [["shutdown"]], "connect_waits": [[]],
    "poll_waits": [["poll"], ["select"], ["epoll"]], "idiom_self_pipe": [[]],
    "idiom_event_loop": [["right"]], "idiom_tcp_echo": [[]],
    "file_polling_loops_end": [["read"], ["poll"], ["select"], ["epoll"], ["write"]],
}


def check(folder, name, runs):
    binary = folder / name
    command = ["gcc", "-g", "-pthread", "-I", str(PROGRAMS.parent.parent / "include"), "-o", str(binary), str(PROGRAMS / f"{name}.c")]
    build = subprocess.run(command, capture_output=True, text=True)
    if build.returncode != 0:
        sys.exit(f"FAIL {name}\n     expected   it builds\n     actual     {build.stderr}")
    for arguments in runs:
        run = subprocess.run([str(binary), *arguments], stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, timeout=SECONDS)
        if run.returncode != 0:
            sys.exit(f"FAIL {name} {' '.join(arguments)}\n     expected   exit status 0\n"
                     f"     actual     {run.returncode}: {run.stderr}\n"
                     f"     again      {' '.join(command)} && {binary}")
    print(f"ok   {name}")


def main():
    with tempfile.TemporaryDirectory(prefix="bohr-files-") as temporary:
        for name, runs in RUNS.items():
            check(pathlib.Path(temporary), name, runs)


main()
