#!/usr/bin/env python3
"""Where a child process shares memory with the program the claim says so, by number and address, and proves nothing;
where it shares none the claim is what it was."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, shown  # noqa: E402

SOURCE = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static atomic_int own;
static const char *name, *path;

static void *map(int flags, int file)
{
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, flags, file, 0);
}

static atomic_int *memory(const char *kind)
{
    if (strcmp(kind, "none") == 0)
        return &own;
    if (strcmp(kind, "private") == 0)
        return map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (strcmp(kind, "anonymous") == 0)
        return map(MAP_SHARED | MAP_ANONYMOUS, -1);
    if (strcmp(kind, "segment") == 0) {
        int segment = shmget(IPC_PRIVATE, 4096, 0600);
        void *at = shmat(segment, NULL, 0);
        shmctl(segment, IPC_RMID, NULL);
        return at;
    }
    int file = strcmp(kind, "named") == 0 ? shm_open(name, O_CREAT | O_RDWR, 0600)
               : strcmp(kind, "file") == 0 ? open(path, O_CREAT | O_RDWR, 0600)
                                           : memfd_create("shared", 0);
    if (ftruncate(file, 4096) != 0)
        abort();
    void *at = map(MAP_SHARED, file);
    if (strcmp(kind, "unmapped") == 0)
        munmap(at, 4096), at = &own;
    if (strcmp(kind, "named") == 0)
        shm_unlink(name);
    return at;
}

static void process(const char *way, atomic_int *sum)
{
    pid_t child = 0;
    char *const arguments[] = {"true", NULL};
    if (strcmp(way, "system") == 0 && system("true") == 0)
        return;
    if (strcmp(way, "popen") == 0) {
        pclose(popen("true", "r"));
        return;
    }
    if (strcmp(way, "spawn") == 0)
        posix_spawnp(&child, "true", NULL, NULL, arguments, environ);
    else
        child = fork();
    if (child == 0) {
        atomic_fetch_add(sum, 1);
        _exit(0);
    }
    atomic_fetch_add(sum, 1);
    waitpid(child, NULL, 0);
}

static void *work(void *unused)
{
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    name = arguments[3];
    path = arguments[4];
    if (strcmp(arguments[1], "later") == 0) {
        process("fork", &own);
        memory("named");
    } else {
        process(arguments[2], memory(arguments[1]));
    }
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
"""
# memory, way to start a process, whether the process shares it
CASES = [
    ("none", "fork", False), ("private", "fork", False), ("unmapped", "fork", False),
    ("anonymous", "fork", True), ("segment", "fork", True), ("named", "fork", True), ("file", "fork", True),
    ("memfd", "fork", True), ("later", "fork", True),
    ("anonymous", "system", False), ("anonymous", "spawn", False), ("none", "popen", False),
    ("named", "system", True), ("named", "popen", True), ("memfd", "spawn", True), ("segment", "system", True),
]


def check(bench):
    program = bench.build("shares", SOURCE)
    for kind, way, shares in CASES:
        for options in (["-s", "dfs"], ["-s", "dpor"], []) if kind in ("anonymous", "none") else (["-s", "dfs"],):
            arguments = [kind, way, f"/{bench.folder.name}", bench.folder / "shared.data"]
            command = shown(["bohr", "run", *options, program, *arguments])
            claim = bench.explore(options, program, arguments=arguments)["claim"]
            said = claim["shared_with"] is not None
            if said != shares or (" shares memory at 0x7" in claim["text"]) != shares:
                fail(f"{kind} memory and {way}", command=command, expected=f"shared: {shares}", actual=claim)
            proves = claim["kind"] in ("all", "all-classes")
            if shares and (proves or claim["shared_with"]["process"] != 20001):
                fail("nothing is proved of memory that a process shares", command=command, actual=claim)
            if not shares and way == "fork" and options == ["-s", "dfs"] and not proves:
                fail("a process that shares nothing leaves the claim as it is", command=command, actual=claim)


bench_run(check)
