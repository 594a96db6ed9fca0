#!/usr/bin/env python3
"""No process of the tested program outlives the tool: daemons that were forked twice are killed at the end of each
execution, and where the worker or the program dies before it can do that."""
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, children, command_end, command_start, fail, run, shown, wait_until  # noqa: E402

DAEMON = """
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
    return unused;
}
static void leave_daemons(int count)
{
    for (int i = 0; i < count; i++)
        if (fork() == 0) {
            setsid();
            sleep(36000);
            _exit(0);
        }
}
int main(int count, char **arguments)
{
    pthread_t threads[2];
    if (fork() == 0) {
        setsid();
        leave_daemons(2);
        if (count > 2 && fork() == 0) { /* a daemon with a daemon */
            setsid();
            leave_daemons(1);
            sleep(36000);
        }
        _exit(0);
    }
    wait(NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    if (count > 1 && arguments[1][0] == 'c')
        *(volatile int *)8 = 1;
    while (count > 1 && arguments[1][0] == 'h')
        ;
    return 0;
}
"""


def left_of(program):
    """Processes that run this program and are no zombies."""
    left = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(entry / "exe") == str(program):
                left.append(int(entry.name))
        except OSError:
            pass
    return left


def expect_none(title, program, command):
    left = left_of(program)
    for process in left:
        os.kill(process, signal.SIGKILL)
    if left:
        fail(title, command=shown(command), expected="no process of the program", actual=f"{len(left)} processes")


def interrupted(bench, program, whom, number):
    """The search hangs in an execution that has left daemons; then a process is killed."""
    command = [bench.bohr, "run", "--no-progress", "-s", "dfs", "-o", bench.folder / "out", "--hang", "1h", program, "h"]
    process = command_start(command)
    wait_until("the daemons are running", lambda: len(left_of(program)) >= 3)
    for victim in [process.pid] if whom == "bohr" else children(process.pid):
        os.kill(victim, number)
    if whom == "worker":  # the tool starts another one, whose first execution hangs, too
        wait_until("another worker is running", lambda: children(process.pid) and len(left_of(program)) >= 3)
        os.kill(process.pid, signal.SIGINT)
    command_end(process, command)
    expect_none(f"{whom} gets signal {number}", program, command)


def check(bench):
    program = pathlib.Path(bench.build("daemon", DAEMON)).resolve()
    for options in (["--isolate", "reset"], ["--isolate", "fork"], ["--isolate", "exec", "-n", "2"], ["-j", "2"]):
        for arguments in ([], ["x", "y"], ["c"]):
            command = [bench.bohr, "run", "--no-progress", "-s", "dfs", "-k", "-o", bench.folder / "out", *options,
                       program, *arguments]
            done = run(command)
            if done.status != (1 if arguments == ["c"] else 0):
                fail("the program is explored", command=shown(command), actual=done.text())
            expect_none("daemons end with their execution", program, command)
    interrupted(bench, program, "bohr", signal.SIGINT)
    interrupted(bench, program, "bohr", signal.SIGTERM)
    interrupted(bench, program, "worker", signal.SIGKILL)


bench_run(check)
