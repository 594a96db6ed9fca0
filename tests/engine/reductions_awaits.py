#!/usr/bin/env python3
"""Random programs in C with loops that wait for a value: dpor shows the final states, livelocks and failures
that plain search shows, and claims so; where nobody yields the same classes, too. Loops whose numbers of
classes are known have that many."""
import itertools
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402
from reductions import ends_of, explore, source_of, variable_use  # noqa: E402

PROGRAMS, TOGETHER, SEED = tier.by_tier(4, 8, 20), 20, 5
YIELDS = ("sched_yield();", "usleep(10);")

# One thread stores 1 to N, others wait for at least M: each loop ends with one of N - M + 1 writes.
COUNTED = """
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>
static TYPE value;
static void *writes(void *unused)
{
    for (int i = 1; i <= N; i++)
        value = i;
    return unused;
}
static void *waits(void *unused)
{
    while (value < M)
        BODY;
    return unused;
}
int main(void)
{
    pthread_t threads[WAITERS + 1];
    pthread_create(&threads[WAITERS], NULL, writes, NULL);
    for (int i = 0; i < WAITERS; i++)
        pthread_create(&threads[i], NULL, waits, NULL);
    for (int i = 0; i <= WAITERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""

# One thread stores 1 to N in a, another in b; a loop looks at both, or at one of them twice.
SEVERAL = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
enum { N = 3 };
static atomic_int a, b;
LOOPS
static void *writes_a(void *unused) { for (int i = 1; i <= N; i++) a = i; return unused; }
static void *writes_b(void *unused) { for (int i = 1; i <= N; i++) b = i; return unused; }
int main(int count, char **arguments)
{
    void *(*work[])(void *) = {loops[atoi(arguments[1])], writes_a, writes_b};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
N = 3
ENDS = {  # of the last turn: what it can read
    "a == 0 && b == 0": N + N,  # a was written, or only b
    "a == 0 || b == 0": N * N,
    "a < 2 || b < 2": (N - 1) ** 2,
    "a != 1 && a != N": 1 + N,  # 1 at once, or N after anything else
}


def loop(rng, me):
    at, n = rng.randint(0, 1), rng.randint(1, 2)
    turn = rng.choice([";", ";", ";", *YIELDS])
    return rng.choice([
        f"while (atomic_load(&a[{at}]) < {n}) {turn}",
        f"while (atomic_load(&a[{at}]) != {n}) {turn}",
        f"while (v != {n}) {turn}",
        f"while (atomic_exchange(&a[{at}], 1)) {turn} {variable_use(rng, me)} atomic_store(&a[{at}], 0);",
        f"while (!compare(&a[{at}], 0, 1)) {turn} atomic_store(&a[{at}], 0);",
    ])


def random_program(rng):
    count = rng.choice([2, 2, 3])
    return [[rng.choice([loop, variable_use, variable_use])(rng, me) for _ in range(rng.randint(1, 5 - count))]
            for me in range(count)]


def compare(bench, program, number, threads):
    plain, states = explore(bench, ["-s", "dfs"], program, number)
    if not plain["complete"]:
        return False
    text = " ".join(" ".join(thread) for thread in threads)
    yields = any(word in text for word in YIELDS)
    # Where nobody writes it the flag is no scheduling point: a loop of mere yields, of which nothing is claimed.
    blind = any(f"!= {n}) {word}" in text and f"while (v != {n})" in text for n in (1, 2) for word in YIELDS)
    for reduction in ("optimal", "source", "classic"):
        options = ["-s", "dpor", "--reduction", reduction]
        reduced, reached = explore(bench, options, program, number)
        wanted, got = [states, ends_of(plain)], [reached, ends_of(reduced)]
        if not yields:
            wanted += [plain["classes"], plain["class_set"]]
            got += [reduced["classes"], reduced["class_set"]]
        if reduction == "optimal" and not blind:
            wanted.append("all-classes")
            got.append(reduced["claim"]["kind"])
        if wanted != got:
            fail(f"random program {number}", options=shown(options),
                 threads="\n                ".join(" ".join(thread) for thread in threads),
                 expected=wanted, actual=got)
    return True


def check_random(bench):
    rng, done = random.Random(SEED), 0
    while done < PROGRAMS:
        programs = [random_program(rng) for _ in range(TOGETHER)]
        text = source_of(programs).replace("#include <stdlib.h>", "#include <sched.h>\n#include <stdlib.h>")
        program = bench.build(f"awaits-{done}", text)
        for number, threads in enumerate(programs):
            done += compare(bench, program, number, threads)
    print(f"ok   {done} random programs with loops that wait")


def check_counted(bench):
    cases = 0
    products = itertools.product(("_Atomic int", "volatile int"), ("", "sched_yield()", "usleep(10)"), ((3, 2, 1), (3, 1, 2)))
    for kind, body, (n, m, waiters) in tier.sample("counted", products, 5):
        # At -O1 the first turn of some loops is a piece of code of its own: a step like any other.
        flags = ["-O2", f"-DN={n}", f"-DM={m}", f"-DWAITERS={waiters}", f"-DTYPE={kind}", f"-DBODY={body}"]
        program = bench.build(f"counted-{cases}", COUNTED, flags)
        cases += 1
        result = bench.explore(["-s", "dpor", "--races", "off"], program)
        wanted = [(n - m + 1) ** waiters, "all-classes", True]
        got = [result["classes"], result["claim"]["kind"], result["complete"]]
        if wanted != got:
            fail("a loop that waits", flags=shown(flags), expected=wanted, actual=got)
    print(f"ok   {cases} loops have a class for each write that they can end with")


def check_several(bench):
    loops = "".join(f"static void *loop{i}(void *unused) {{ while ({each}) ; return unused; }}\n" for i, each in enumerate(ENDS))
    loops += f"static void *(*const loops[])(void *) = {{{', '.join(f'loop{i}' for i in range(len(ENDS)))}}};"
    program = bench.build("several", SEVERAL.replace("LOOPS", loops), ["-O2"])
    for number, (condition, ends) in enumerate(ENDS.items()):
        for options in tier.sample(condition, ([], ["--reduction", "source"], ["-j", "2"])):
            result = bench.explore(["-s", "dpor", *options], program, [number])
            wanted = [ends, "all-classes", True]
            got = [result["classes"], result["claim"]["kind"], result["complete"]]
            if wanted != got:
                fail(f"while ({condition})", options=shown(options), expected=wanted, actual=got)
    print(f"ok   {len(ENDS)} loops that wait for several values have a class for each way they can end")


def check(bench):
    check_counted(bench)
    check_several(bench)
    check_random(bench)


if __name__ == "__main__":
    bench_run(check)
