#!/usr/bin/env python3
"""Random programs in C with loops that wait for several values, or poll: with yields and sleeps, under locks, with timeouts.
dpor shows the final states, livelocks, deadlocks and failures that plain search shows, no class that this does not show, and
claims so; bpor does where all that loops do is to read. Loops whose numbers of classes are known have that many. `make test`
takes the first third of the programs or fewer."""
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402
from reductions import HEAD, TAIL, explore, source_of, variable_use  # noqa: E402

PROGRAMS, TOGETHER = int(os.environ.get("BOHR_TEST_PROGRAMS", tier.by_tier(5, 10, 30))), 30
PLAIN_MAX = 5000  # executions of plain search; programs that have more are left out
SEED = int(os.environ.get("BOHR_TEST_SEED", 3))
SEARCHES = (["dpor"], ["dpor", "--reduction", "source"], ["dpor", "--reduction", "classic"], ["dpor", "-j", "2"], ["bpor"])
EVERY = 3  # of the programs all searches

HELPERS = """
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <time.h>
static int flag, ends[2];
#define INLINE static inline __attribute__((always_inline)) /* each call is a place of its own */
static const struct timespec late = {2000000000, 0};
INLINE int locked_flag(void)
{
    pthread_mutex_lock(&m[1]);
    int value = flag;
    pthread_mutex_unlock(&m[1]);
    return value;
}
INLINE int read_flag(void)
{
    pthread_rwlock_rdlock(&w);
    int value = flag;
    pthread_rwlock_unlock(&w);
    return value;
}
INLINE void raise_flag(void)
{
    pthread_mutex_lock(&m[1]);
    pthread_rwlock_wrlock(&w);
    flag = 1;
    pthread_cond_signal(&c);
    pthread_rwlock_unlock(&w);
    pthread_mutex_unlock(&m[1]);
}
INLINE void wait_for_flag(void)
{
    pthread_mutex_lock(&m[1]);
    while (!flag)
        pthread_cond_timedwait(&c, &m[1], &late);
    pthread_mutex_unlock(&m[1]);
}
INLINE int is_readable(int milliseconds)
{
    struct pollfd file = {ends[0], POLLIN, 0};
    return poll(&file, 1, milliseconds) == 1;
}
INLINE int take_both(void)
{
    pthread_mutex_lock(&m[0]);
    if (pthread_mutex_trylock(&m[1]) == 0)
        return 1;
    pthread_mutex_unlock(&m[0]);
    return 0;
}
"""

TURNS = (";", ";", "sched_yield();", "usleep(10);")


def reading_loop(rng, me):
    n = rng.randint(1, 2)
    return rng.choice([
        f"while (a[0] < {n} || a[1] < {n}) ",
        f"while (a[0] + a[1] < {n}) ",
        f"while (a[0] != {n} && v != {n}) ",
        f"while (a[0] != a[1]) ",
        f"while (a[{n - 1}] == 0 && !flag) ",
    ]) + rng.choice(TURNS)


def other_loop(rng, me):
    turn, k, use = rng.choice(TURNS), rng.randint(0, 1), variable_use(rng, me)
    return rng.choice([
        f"while (pthread_mutex_trylock(&m[{k}])) {turn} {use} pthread_mutex_unlock(&m[{k}]);",
        f"while (sem_trywait(&s[{k}]) && a[0] == 0) {turn}",
        f"while (!locked_flag()) {turn}",
        f"while (!read_flag()) {turn}",
        f"while (!locked_flag() && a[0] == 0) {turn}",
        "wait_for_flag();",
        f"while (sem_timedwait(&s[{k}], &late)) {turn}",
        f"while (pthread_mutex_timedlock(&m[{k}], &late)) {turn} {use} pthread_mutex_unlock(&m[{k}]);",
        f"while (!is_readable({10 * k})) {turn}",
        f"while (!take_both()) {turn} {use} pthread_mutex_unlock(&m[1]); pthread_mutex_unlock(&m[0]);",
        f"while (v != 2) {rng.choice(TURNS[2:])}",
    ])


def other_use(rng, me):
    k, use = rng.randint(0, 1), variable_use(rng, me)
    return rng.choice([
        "raise_flag();", "raise_flag();", f"sem_post(&s[{k}]);", 'seen[3] += write(ends[1], "x", 1);',
        f"pthread_mutex_lock(&m[{k}]); {use} pthread_mutex_unlock(&m[{k}]);",
        f"seen[{me}] = seen[{me}] * 3 + (pthread_mutex_trylock(&m[{k}]) == 0 ? pthread_mutex_unlock(&m[{k}]) : 1);",
        f"assert(atomic_load(&a[{k}]) != 2);", "exit(3);" if rng.randint(0, 9) == 0 else use,
    ])


def random_program(rng):
    """What it is made of: only reads in loops, or all."""
    count, reads = rng.choice([2, 2, 3]), rng.randint(0, 2) == 0
    kinds = [reading_loop, variable_use, variable_use] if reads else \
        [reading_loop, other_loop, other_loop, variable_use, other_use, other_use, other_use]
    threads = [[rng.choice(kinds)(rng, me) for _ in range(rng.randint(1, 5 - count))] for me in range(count)]
    return threads, reads


def ends_of(result):
    """Deadlocks and livelocks are told apart by the strategy: what all wait for in the end, some read and some poll."""
    stuck = ("deadlock", "livelock")
    return sorted({"stuck" if f["kind"] in stuck else f"{f['kind']} {f['line'] or 0}" for f in result["findings"]
                   if f["kind"] in (*stuck, "assertion", "crash")})


def compare(bench, program, number, threads, reads, counts):
    plain, states = explore(bench, ["-s", "dfs", "--no-shrink", "-n", PLAIN_MAX], program, number)
    if not plain["complete"]:
        return False
    for search in SEARCHES[:None if number % EVERY == 0 else 1]:
        options = ["-s", *search, "--no-shrink"]
        reduced, reached = explore(bench, options, program, number)
        wanted, got = [states, ends_of(plain)], [reached, ends_of(reduced)]
        if search[0] == "dpor" or reads:
            wanted += ["all-classes", True]
            # Where the program ends early, which threads made futile iterations until then is part of the class.
            early = any("exit" in text or "assert" in text for thread in threads for text in thread)
            got += [reduced["claim"]["kind"], reduced["classes"] <= plain["classes"] or early]
        if wanted != got:
            fail(f"random program {number}", options=shown(options),
                 threads="\n                ".join(" ".join(thread) for thread in threads),
                 expected=wanted, actual=got, claim=reduced["claim"]["text"])
        counts[search[0]] += reduced["executions"]
    counts["dfs"] += plain["executions"]
    return True


def check_random(bench):
    rng, done, counts = random.Random(SEED), 0, {"dfs": 0, "dpor": 0, "bpor": 0}
    while done < PROGRAMS:
        programs = [random_program(rng) for _ in range(TOGETHER)]
        text = source_of([threads for threads, _ in programs])
        text = text.replace(HEAD, HEAD + HELPERS).replace(TAIL, TAIL.replace(
            "sem_init(&s[0], 0, 0);", "sem_init(&s[0], 0, 0); if (pipe(ends)) return 1;"))
        program = bench.build(f"loops-{done}", text, ["-O2"])
        for number, (threads, reads) in enumerate(programs):
            done += compare(bench, program, number, threads, reads, counts)
    print(f"ok   {done} random programs with loops: " + ", ".join(f"{name} {count} executions" for name, count in counts.items()))


def check(bench):
    check_random(bench)


if __name__ == "__main__":
    bench_run(check)
