#!/usr/bin/env python3
"""Random programs in C that start processes and wait for them, and such with trusted code: dpor and bpor show the
classes, final states, deadlocks and failures that plain search shows, and claim so. `make test` takes the first third of the
programs or fewer."""
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402
from reductions import HEAD, ends_of, explore, source_of, variable_use  # noqa: E402

PROGRAMS, TOGETHER = int(os.environ.get("BOHR_TEST_PROGRAMS", tier.by_tier(4, 7, 20))), 20
PLAIN_MAX = 1000  # executions of plain search; programs that have more are left out
SEED = int(os.environ.get("BOHR_TEST_SEED", 2))
SEARCHES = (["dpor"], ["dpor", "--reduction", "source"], ["dpor", "--reduction", "classic"], ["dpor", "-j", "2"], ["bpor"])
EVERY = 3  # of the programs all searches

HELPERS = """
#include <signal.h>
#include <sys/wait.h>
#define INLINE static inline __attribute__((always_inline)) /* each call is a place of its own */
static _Atomic pid_t child;
static void on_end(int number) { atomic_fetch_add(&a[0], 1); }
INLINE void start(int status)
{
    pid_t started = fork();
    if (started == 0)
        _exit(status);
    child = started;
}
INLINE int end_of(pid_t which, int flags)
{
    int status = 0;
    pid_t got = waitpid(which, &status, flags);
    return got > 0 ? 2 + WEXITSTATUS(status) : got == 0;
}
__attribute__((noinline)) void trusted_add(int by) { atomic_fetch_add(&a[1], by); }
__attribute__((noinline)) void trusted_lock(int by)
{
    pthread_mutex_lock(&m[1]);
    v = v * 2 + by;
    pthread_mutex_unlock(&m[1]);
}
"""


def process_use(rng, me):
    note = f"seen[{me}] = seen[{me}] * 5 +"
    return rng.choice([f"start({rng.randint(0, 1)});", f"start({rng.randint(0, 1)}); {note} end_of(child, 0);",
                       f"{note} end_of(-1, 0);", f"{note} end_of(-1, WNOHANG);", f"{note} end_of(child, WNOHANG);",
                       "signal(SIGCHLD, on_end);", "sem_wait(&s[1]);", "sem_post(&s[1]);"])


def trusted_use(rng, me):
    by = rng.randint(1, 2)
    return rng.choice([f"trusted_add({by});", f"trusted_lock({by});", f"trusted_add({by}); trusted_lock({by});",
                       f"pthread_mutex_lock(&m[1]); {variable_use(rng, me)} pthread_mutex_unlock(&m[1]);"])


def random_program(rng, use):
    count = rng.choice([2, 2, 3])
    return [[rng.choice([use, use, variable_use])(rng, me) for _ in range(rng.randint(1, 5 - count))] for me in range(count)]


def compare(bench, program, number, threads, extra):
    plain, states = explore(bench, ["-s", "dfs", "--no-shrink", "-n", PLAIN_MAX, *extra], program, number)
    if not plain["complete"]:
        return False
    for search in SEARCHES[:None if number % EVERY == 0 else 1]:
        options = ["-s", *search, "--no-shrink", *extra]
        reduced, reached = explore(bench, ["-n", 100000, *options], program, number)
        wanted = [plain["classes"], plain["class_set"], states, ends_of(plain), "all-classes"]
        got = [reduced["classes"], reduced["class_set"], reached, ends_of(reduced), reduced["claim"]["kind"]]
        if wanted != got:
            fail(f"random program {number}", options=shown(options),
                 threads="\n                ".join(" ".join(thread) for thread in threads),
                 expected=wanted, actual=got, claim=reduced["claim"]["text"])
    return True


def check_kind(bench, kind, use, extra):
    rng, done = random.Random(SEED), 0
    while done < PROGRAMS:
        programs = [random_program(rng, use) for _ in range(TOGETHER)]
        text = source_of(programs).replace(HEAD, HEAD + HELPERS)
        program = bench.build(f"{kind}-{done}", text, ["-O2"])
        for number, threads in enumerate(programs):
            done += compare(bench, program, number, threads, extra)
    print(f"ok   {done} random programs: {kind}")


def check(bench):
    check_kind(bench, "trusted code", trusted_use, ["--trust", "trusted_add,trusted_lock"])
    check_kind(bench, "processes", process_use, [])


if __name__ == "__main__":
    bench_run(check)
