#!/usr/bin/env python3
"""ExitBlock on real programs: as many orders of blocks as a counter in this script finds, which knows nothing of
the tool; on random programs that share memory under locks the final states, failures and deadlocks that plain
search shows; a program that does not keep to that is told so; trusted code is not branched on. `make test` takes the first
third of the programs or fewer."""
import functools
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402

COUNTED, PROGRAMS = tier.by_tier(8, 12, 16), tier.by_tier(12, 12, 36)
TOGETHER, SEED, ORDERS_MAX, EXECUTIONS_MAX = 12, 1, 3000, 2000
ALL = ["exitblock", "exitblock-rw", "exitblock-dd", "exitblock-rwdd"]

HEAD = """
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int v[3], seen[3];
static atomic_int a;
"""

TAIL = """
int main(int argc, char **argv)
{
    int number = atoi(argv[1]), count = counts[number];
    pthread_t threads[4];
    char text[128];
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work[number][i], NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    if (argc < 3)
        return 0;
    sprintf(text, "%d %d %d %d %d %d %d\\n", v[0], v[1], v[2], seen[0], seen[1], seen[2], (int)a);
    int file = open(argv[2], O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (write(file, text, strlen(text)) < 0)
        return 1;
    close(file);
    return 0;
}
"""


def source_of(programs, as_c):
    text = HEAD
    for number, threads in enumerate(programs):
        for me, statements in enumerate(threads):
            body = "\n".join("    " + as_c(statement) for statement in statements)
            text += f"static void *work{number}_{me}(void *unused)\n{{\n{body}\n    return unused;\n}}\n"
    rows = ", ".join("{" + ", ".join(f"work{number}_{me}" for me in range(len(threads))) + "}"
                     for number, threads in enumerate(programs))
    text += f"static void *(*const work[][4])(void *) = {{{rows}}};\n"
    text += f"static const int counts[] = {{{', '.join(str(len(p)) for p in programs)}}};\n"
    return text + TAIL


# Programs of locks alone: how many orders of blocks are there?


def nested_locks(rng, held=()):
    free = [k for k in range(3) if k not in held]
    k = rng.choice(free)
    inside = nested_locks(rng, (*held, k)) if len(held) < 1 and rng.random() < 0.5 else []
    return [("lock", k), *inside, ("unlock", k)]


def lock_program(rng):
    return [sum((nested_locks(rng) for _ in range(rng.randint(1, 2))), [])
            for _ in range(rng.choice([2, 2, 3]))]


def lock_as_c(statement):
    return f"pthread_mutex_{statement[0]}(&m[{statement[1]}]);"


def count_orders(threads):
    """Complete orders of blocks of main, which creates all and joins all, and of the threads."""

    def block_of(at, owners, created, who):
        """Where the thread is after its block, and the holders of locks; None: it has to wait."""
        if who == "main":
            if created < len(threads):
                return at, owners, created + 1
            ended = all(at[i] == len(threads[i]) for i in range(len(threads)))
            return (at, owners, created + 1) if ended else None
        at, owners = list(at), list(owners)
        while True:
            kind, lock = threads[who][at[who]]
            if kind == "lock" and owners[lock] is not None:
                return None
            owners[lock] = who if kind == "lock" else None
            at[who] += 1
            if kind == "unlock":
                return tuple(at), tuple(owners), created

    @functools.lru_cache(None)
    def count(at, owners, created):
        if created > len(threads):
            return 1
        able = ["main"] + [i for i in range(min(created, len(threads))) if at[i] < len(threads[i])]
        after = [found for who in able if (found := block_of(at, owners, created, who)) is not None]
        return sum(count(*found) for found in after) if after else 1  # a deadlock

    return count((0,) * len(threads), (None,) * 3, 0)


def lockers(threads, times):
    return [[("lock", 0), ("unlock", 0)] * times for _ in range(threads)]


def check_counts(bench):
    rng = random.Random(SEED)
    programs = [lockers(k, n) for k in (1, 2, 3) for n in (1, 2)]
    while len(programs) < COUNTED:
        program = lock_program(rng)
        if count_orders(program) <= ORDERS_MAX:
            programs.append(program)
    built = bench.build("counted", source_of(programs, lock_as_c))
    for number, program in enumerate(programs):
        options = ["-k", "-s", "exitblock", "--detect", "-lock-order"]
        result = bench.explore(options, built, [number])
        if result["executions"] != count_orders(program) or result["claim"]["kind"] != "blocks":
            fail("orders of blocks", program=program, search=shown(options),
                 expected=f"{count_orders(program)} executions, claim blocks",
                 actual=f"{result['executions']} executions, {result['claim']}")


# Programs that share memory under locks.


def use(rng, me, k):
    n = rng.randint(1, 2)
    return rng.choice([f"v[{k}] = v[{k}] * 2 + {n};", f"v[{k}] = {n};",
                       f"seen[{me}] = seen[{me}] * 3 + v[{k}];",
                       f"assert(v[{k}] != {n});" if rng.random() < 0.3 else f"v[{k}] += {n};"])


def section(rng, me, held=()):
    free = [k for k in range(3) if k not in held]
    k = rng.choice(free)
    inside = use(rng, me, k)
    if len(held) < 1 and rng.random() < 0.4:
        inner = section(rng, me, (*held, k))
        inside += " " + rng.choice([inner, f"if (v[{k}] == {rng.randint(0, 1)}) {{ {inner} }}"])
    if not held and rng.random() < 0.2:
        inside += rng.choice([f" pthread_cond_wait(&c, &m[{k}]);", " pthread_cond_signal(&c);",
                              " pthread_cond_broadcast(&c);"])
    return f"pthread_mutex_lock(&m[{k}]); {inside} pthread_mutex_unlock(&m[{k}]);"


def statement(rng, me):
    if rng.random() < 0.15:
        return rng.choice([f"seen[{me}] += atomic_fetch_add(&a, 1);", "pthread_cond_signal(&c);"])
    return section(rng, me)


def random_program(rng):
    count = rng.choice([2, 2, 3])
    return [[statement(rng, me) for _ in range(rng.randint(1, 5 - count))] for me in range(count)]


def ends_of(bench, program, number, strategy, states):
    states.unlink(missing_ok=True)
    options = ["-k", "-s", strategy, "-n", str(20 * EXECUTIONS_MAX), "--detect", "-lock-order"]
    if strategy == "dfs":
        options += ["-n", str(EXECUTIONS_MAX)]
    result = bench.explore(options, program, [number, states])
    found = {(f["kind"], f["line"]) for f in result["findings"] if f["severity"] == "error"}
    failures = {finding for finding in found if finding[0] != "deadlock"}
    finals = set(states.read_text().splitlines()) if states.exists() else set()
    return result, finals, failures, len(found) > len(failures)


def check_random(bench):
    rng = random.Random(SEED)
    left, plain_sum, sums = PROGRAMS, 0, dict.fromkeys(ALL, 0)
    states, deadlocks = bench.folder / "states", 0
    while left > 0:
        programs = [random_program(rng) for _ in range(TOGETHER)]
        built = bench.build(f"random{left}", source_of(programs, str))
        for number, program in enumerate(programs):
            plain, finals, failures, deadlock = ends_of(bench, built, number, "dfs", states)
            if not plain["complete"] or left == 0:
                continue
            left -= 1
            plain_sum += plain["executions"]
            deadlocks += deadlock
            for strategy in ALL:
                result, *got = ends_of(bench, built, number, strategy, states)
                sums[strategy] += result["executions"] + result["cut"]
                kind = "blocks-and-circles" if strategy == "exitblock-dd" else "blocks"
                story = {"program": program, "search": strategy}
                if result["claim"]["kind"] != kind:
                    fail("a claim", expected=kind, actual=result["claim"], **story)
                if got[0] != finals or got[1] != failures or got[2] > deadlock:
                    fail("another end", expected=(finals, failures, deadlock), actual=got, **story)
                if strategy == "exitblock-dd" and got[2] != deadlock:
                    fail("a deadlock is missed", **story)
    if deadlocks < PROGRAMS // 8 or not sums["exitblock-rw"] < sums["exitblock"] < plain_sum:
        fail("random programs show little", deadlocks=deadlocks, dfs=plain_sum, blocks=sums)
    print(f"{PROGRAMS} programs, {deadlocks} with deadlocks; dfs {plain_sum} executions, {sums}")


# The discipline, and trust.

UNGUARDED = """
#include <pthread.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int x;
static void *work(void *lock)
{
    pthread_mutex_lock(lock);
    x++;
    pthread_mutex_unlock(lock);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    x = 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, &m[i OTHER]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return x != 3;
}
"""


def check_discipline(bench):
    good = bench.build("guarded", UNGUARDED.replace("OTHER", "* 0"))
    bad = bench.build("unguarded", UNGUARDED.replace("OTHER", ""))
    for strategy in ALL:
        result = bench.explore(["-s", strategy], good, status=0)
        if result["findings"] or not result["claim"]["kind"].startswith("blocks"):
            fail("what create and join order needs no lock", actual=(result["findings"], result["claim"]))
        result = bench.explore(["-s", strategy, "--races", "warn"], bad)
        warned = [f for f in result["findings"] if f["kind"] == "lockset" and f["severity"] == "warning"]
        if not warned or result["claim"]["kind"] != "nothing" or \
                "without a lock that all hold" not in result["claim"]["text"]:
            fail("no lock guards x", expected="a warning, and no claim", strategy=strategy,
                 actual=(result["findings"], result["claim"]))
        result = bench.explore(["-s", strategy, "--detect", "lockset"], bad, status=1)
        if not any(f["kind"] == "lockset" and f["severity"] == "error" for f in result["findings"]):
            fail("--detect lockset", actual=result["findings"])


TRUSTED = """
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
__attribute__((noinline)) void library_add(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
    }
}
static void *work(void *unused)
{
    library_add();
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def check_trust(bench):
    program = bench.build("trusted", TRUSTED)
    all_of_them = bench.explore(["-s", "exitblock"], program, status=0)
    trusting = bench.explore(["-s", "exitblock", "--trust", "library_add"], program, status=0)
    if not trusting["executions"] < all_of_them["executions"] or trusting["claim"]["kind"] != "blocks" or \
            "trusted code" not in trusting["claim"]["text"]:
        fail("trusted code is not branched on", without=all_of_them["executions"],
             actual=(trusting["executions"], trusting["claim"]))


def check(bench):
    check_counts(bench)
    check_random(bench)
    check_discipline(bench)
    check_trust(bench)


if __name__ == "__main__":
    bench_run(check)
