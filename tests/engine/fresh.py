#!/usr/bin/env python3
"""--fresh puts files and folders back before each execution and when the search ends, whatever the
program did to them; the folder it works in, its umask, offsets of descriptors, signal handlers and
mask are always as at the start; --same-output and --expect-output compare what it writes. `make test` takes two modes."""
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import (bench_run, command_end, command_start, fail, run, sentence_of,  # noqa: E402
                    shown, wait_until)

MODES = [["--isolate", "reset", "--tracking", "protect"], ["--isolate", "reset"],
         ["--isolate", "fork"], ["--isolate", "exec"], ["--isolate", "fork", "--carrier", "kernel"]]

# What it finds is checked in every execution; two threads that lock once make several of them.
PROGRAM = """
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void handle(int number)
{
    (void)number;
}
static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}
static void holds(const char *path, const char *text, unsigned mode)
{
    char bytes[64] = "";
    struct stat about;
    int file = open(path, O_RDONLY);
    assert(file >= 0 && read(file, bytes, sizeof bytes) == (ssize_t)strlen(text));
    assert(strcmp(bytes, text) == 0 && fstat(file, &about) == 0);
    assert((about.st_mode & 07777) == mode && about.st_mtim.tv_sec == 1000000000);
    close(file);
}
static void spoil(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
}
int main(void)
{
    pthread_t thread;
    char letter;
    struct sigaction old;
    sigset_t mask;
    holds("data/one", "first", 0644);
    holds("data/two", "", 0600);
    holds("data/deep/three", "third", 0640);
    holds("single", "alone", 0644);
    assert(access("data/new", F_OK) != 0 && access("data/deep/more", F_OK) != 0);
    assert(readlink("data/link", (char[64]){0}, 64) == 3);
    assert(read(0, &letter, 1) == 1 && letter == 'i');
    assert(umask(077) == 022);
    sigaction(SIGUSR1, NULL, &old);
    assert(old.sa_handler == SIG_DFL);
    signal(SIGUSR1, handle);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert(!sigismember(&mask, SIGUSR2));
    sigaddset(&mask, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &mask, NULL);
    spoil("data/one", "spoiled, and longer than before");
    spoil("data/new", "new");
    assert(chmod("data/one", 0400) == 0 && rename("data/two", "data/deep/moved") == 0);
    assert(mkdir("data/deep/more", 0700) == 0);
    spoil("data/deep/more/four", "4");
    assert(chmod("data/deep/more", 0500) == 0);
    assert(unlink("data/deep/three") == 0 && mkdir("data/deep/three", 0700) == 0);
    assert(unlink("data/link") == 0 && symlink("elsewhere", "data/link") == 0);
    assert(rename("single", "data/single") == 0);
    assert(chdir("data") == 0);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
"""

WRITER = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static int same;
static void *work(void *name)
{
    pthread_mutex_lock(&mutex);
    fputs(same ? "x" : name, file);
    pthread_mutex_unlock(&mutex);
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    same = argc > 2;
    file = argc > 1 && argv[1][0] != '-' ? fopen(argv[1], "a") : stdout;
    pthread_create(&thread, NULL, work, "b");
    work("a");
    pthread_join(thread, NULL);
    fclose(file);
    return 0;
}
"""

ENDLESS = """
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static void *work(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        int file = open("file", O_WRONLY | O_TRUNC);
        if (write(file, "spoiled", 7) != 7)
            return unused;
        close(file);
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
"""


def make_files(folder):
    (folder / "data" / "deep").mkdir(parents=True)
    for name, text, mode in (("data/one", "first", 0o644), ("data/two", "", 0o600),
                             ("data/deep/three", "third", 0o640), ("single", "alone", 0o644)):
        path = folder / name
        path.write_text(text)
        path.chmod(mode)
        os.utime(path, (1000000000, 1000000000))
    os.symlink("one", folder / "data" / "link")


def picture(folder):
    """All that is in a folder, with what --fresh promises to keep."""
    found = []
    for path in sorted([folder, *folder.rglob("*")]):
        about = path.lstat()
        held = (os.readlink(path) if path.is_symlink() else
                path.read_bytes() if path.is_file() else None)
        found.append((str(path), about.st_mode, about.st_mtime_ns, held))
    return found


def check_modes(bench):
    folder = bench.folder / "files"
    folder.mkdir()
    make_files(folder)
    before = picture(folder / "data") + picture(folder / "single")
    program = bench.build("spoils", PROGRAM)
    os.umask(0o022)
    for mode in tier.sample("fresh", MODES, 2):
        for points in ("sync", "race"):
            with open(bench.write("input", "input\n")) as text:
                result = bench.explore(["-s", "dfs", "--points", points, "--fresh", "data",
                                        "--fresh", "single", *mode], program, (), 0, cwd=folder,
                                       stdin=text)
            if result["executions"] != 2:  # one for each thread that locks first
                fail("files put back: executions", mode=mode, expected=2, actual=result)
            after = picture(folder / "data") + picture(folder / "single")
            if after != before:
                fail("files are not as they were when the search has ended", mode=mode,
                     expected=before, actual=after)


def check_output(bench):
    program = bench.build("writes", WRITER)
    for mode in tier.sample("fresh: output", MODES, 2):
        result = bench.explore(["-s", "dfs", "--same-output", "-", *mode], program, ["-"], 1)
        kinds = [finding["kind"] for finding in result["findings"]]
        if kinds != ["output"] or result["first_bug"] != 2:
            fail("output that differs", mode=mode, expected="an output finding in execution 2",
                 actual=result)
        bench.replay_all("output that differs", result)
        bench.explore(["-s", "dfs", "--same-output", "-", *mode], program, ["-", "same"], 0)
        target = bench.folder / "written"
        result = bench.explore(["-s", "dfs", "--same-output", target, *mode], program, [target], 1)
        if [finding["kind"] for finding in result["findings"]] != ["output"]:
            fail("a file that differs", mode=mode, actual=result)
        bench.replay_all("a file that differs", result)
        if target.exists():
            fail("a file is left that was not there before", path=target)
        target.write_text("kept")
        expected = bench.write("expected", "keptxx")
        bench.explore(["-s", "dfs", "--same-output", target, "--expect-output", expected, *mode],
                      program, [target, "same"], 0)
        if target.read_text() != "kept":
            fail("a written file is not put back", expected="kept", actual=target.read_text())
        target.unlink()
        wrong = bench.write("wrong", "xxx")
        bench.explore(["-s", "dfs", "--expect-output", wrong, *mode], program, ["-", "same"], 1)


def check_interrupt(bench):
    folder = bench.folder / "interrupted"
    folder.mkdir()
    (folder / "file").write_text("as it was")
    program = bench.build("endless", ENDLESS)
    for number in (signal.SIGINT, signal.SIGTERM):
        command, _ = bench.command(["-s", "random", "-n", 10 ** 9, "--steps", 100000, "--fresh",
                                    "file"], program)
        process = command_start(command, cwd=folder)
        wait_until("a file that is written to", lambda: (folder / "file").read_text() != "as it was", process)
        process.send_signal(number)
        command_end(process, command)
        if (folder / "file").read_text() != "as it was":
            fail("an interrupted search leaves a file spoiled", signal=number,
                 actual=(folder / "file").read_text())


def check_mistakes(bench):
    program = bench.build("nothing", "int main(void) { return 0; }")
    os.mkfifo(bench.folder / "fifo")
    for options, part in ((["--fresh", "missing"], "missing"), (["--fresh", "no/where"], "no/where"),
                          (["--fresh", "fifo"], "fifo"), (["--fresh", "/"], "whole file system"),
                          (["--fresh", ""], "--fresh"), (["--expect-output", "missing"], "missing"),
                          (["--same-output", "no/where"], "no/where")):
        command, _ = bench.command(options, program)
        done = run(command, cwd=bench.folder)
        sentence = sentence_of(done.errors)
        if done.status != 2 or part not in sentence or len(sentence.splitlines()) != 1:
            fail("a mistake in --fresh", command=shown(command), expected="exit 2, one sentence",
                 actual=done.status, output=done.text())


def check(bench):
    check_modes(bench)
    check_output(bench)
    check_interrupt(bench)
    check_mistakes(bench)


bench_run(check)
