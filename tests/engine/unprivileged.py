#!/usr/bin/env python3
"""A user without rights gets what root gets: where the system keeps userfaultfd from them, reset
falls back to page protection by itself, and says what to do if userfaultfd was asked for. So it does in a
container that forbids the call."""
import ctypes
import errno
import os
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import Bench, bench_run, fail, findings_of, run, sentence_of, shown, skip  # noqa: E402

NOBODY = 65534
USERFAULTFD, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 323, 38, 22
PERMISSION = pathlib.Path("/proc/sys/vm/unprivileged_userfaultfd")
SOURCE = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t mutex;
static int data[3000];
static char *block;
static void *work(void *argument)
{
    pthread_mutex_lock(&mutex);
    data[2999]++;
    block[0]++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    assert(data[2999] < 2 || data[0] != 7);
    data[(long)argument] = 7;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    pthread_mutex_init(&mutex, NULL);
    block = malloc(10000);
    memset(block, 1, 10000);
    data[1500] = 3;
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return data[1500] != 3 || block[0] != 3;
}
"""
MODES = [[], ["--isolate", "reset"], ["--isolate", "reset", "--no-checkpoint"],
         ["--isolate", "fork"], ["--isolate", "exec"], ["--isolate", "fork", "--carrier", "kernel"]]


def become_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def forbid_userfaultfd():
    """As the filters of containers do: the call fails, all others pass."""
    load, equal, answer = 0x20, 0x15, 0x06
    allow, refuse = 0x7fff0000, 0x00050000 | errno.EPERM
    lines = [(load, 0, 0, 0), (equal, 0, 1, USERFAULTFD), (answer, 0, 0, refuse),
             (answer, 0, 0, allow)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    program = struct.pack("HxxxxxxP", len(lines), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(
            PR_SET_SECCOMP, 2, program, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no filter")


def in_a_container(bench):
    program = bench.build("contained", SOURCE)
    free = bench.explore(["-s", "dfs", "-k", "--expect-exit", "0"], program, status=1)
    for options in MODES:
        title = f"without userfaultfd, {' '.join(options) or 'no options'}"
        result = bench.explore(["-s", "dfs", "-k", "--expect-exit", "0", *options], program,
                               status=1, preexec_fn=forbid_userfaultfd)
        bench.compare(title, free, result)
        if options[:2] in ([], ["--isolate", "reset"]) and result["tracking"] != "protect":
            fail(title, expected="page protection", actual=result["tracking"])
        print(f"ok   {title}: {result['executions']} executions, tracking {result['tracking']}")


def check(bench):
    in_a_container(bench)
    if os.getuid() != 0:
        skip("only root can become another user")
    forbidden = not PERMISSION.exists() or PERMISSION.read_text().strip() == "0"
    (bench.folder / "bin").mkdir()
    copy = Bench(pathlib.Path(shutil.copy(bench.bohr, bench.folder / "bin" / "bohr")), bench.folder)
    shutil.copytree(bench.bohr.parent.parent / "lib" / "bohr", bench.folder / "lib" / "bohr",
                    symlinks=True)
    shutil.copytree(bench.bohr.parent.parent / "include", bench.folder / "include")
    program = copy.build("program", SOURCE)
    as_root = copy.explore(["-s", "dfs", "-k", "--expect-exit", "0"], program, status=1)
    for path in [bench.folder, *bench.folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
    for options in MODES:
        title = f"as nobody with {' '.join(options) or 'no options'}"
        result = copy.explore(["-s", "dfs", "-k", "--expect-exit", "0", *options], program,
                              status=1, preexec_fn=become_nobody, cwd=bench.folder)
        copy.compare(title, as_root, result)
        if findings_of(result) != findings_of(as_root):
            fail(title, expected=findings_of(as_root), actual=findings_of(result))
        by_reset = options[:2] in ([], ["--isolate", "reset"])
        if by_reset and forbidden and result["tracking"] != "protect":
            fail(title, expected="page protection, since userfaultfd is forbidden",
                 actual=result["tracking"])
        print(f"ok   {title}: {result['executions']} executions, tracking {result['tracking']}")
    if not forbidden:
        return
    command, report = copy.command(["-s", "dfs", "--isolate", "reset", "--tracking", "userfault"],
                                   program)
    done = run(command, preexec_fn=become_nobody, cwd=bench.folder)
    said = sentence_of(done.errors)
    if done.status != 2 or "--tracking protect" not in said or "\n" in said or report.exists():
        fail("userfaultfd is asked for and forbidden", command=shown(command),
             expected="exit status 2 and one sentence that names --tracking protect",
             actual=f"exit status {done.status}: {done.text()}")
    print(f"ok   userfaultfd is asked for and forbidden: {said}")


bench_run(check)
