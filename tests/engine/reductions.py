#!/usr/bin/env python3
"""Random programs in C: the reductions show the classes, final states, deadlocks and failures that plain
search shows, and the optimal one runs each class once. `make test` takes the first third of the programs or fewer."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402

PROGRAMS, TOGETHER, SEED, EXECUTIONS_MAX = tier.by_tier(30, 60, 300), 30, 1, 5000
ALL_REDUCTIONS = 3  # each third program runs with the ancestors of the optimal reduction, too

HEAD = """
#include <assert.h>
#include <bohr.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static sem_t s[2];
static atomic_int a[2];
static volatile int v;
static int seen[4];
static int compare(atomic_int *at, int expected, int desired)
{
    return atomic_compare_exchange_strong(at, &expected, desired);
}
"""

TAIL = """
int main(int argc, char **argv)
{
    int number = atoi(argv[1]), count = counts[number];
    pthread_t threads[3];
    char text[128];
    sem_init(&s[0], 0, 0);
    sem_init(&s[1], 0, 1);
    pthread_barrier_init(&b, NULL, 2);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, work[number][i], NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    sprintf(text, "%d %d %d %d %d %d\\n", v, (int)a[0], (int)a[1], seen[0], seen[1], seen[2]);
    int file = open(argv[2], O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (write(file, text, strlen(text)) < 0)
        return 1;
    close(file);
    return 0;
}
"""


def variable_use(rng, me):
    at, n = rng.randint(0, 1), rng.randint(1, 2)
    return rng.choice([
        f"atomic_store(&a[{at}], {n});",
        f"atomic_fetch_add(&a[{at}], {n});",
        f"seen[{me}] = seen[{me}] * 3 + atomic_load(&a[{at}]);",
        f"seen[{me}] = seen[{me}] * 3 + compare(&a[{at}], {n - 1}, {n});",
        f"seen[{me}] = seen[{me}] * 3 + atomic_exchange(&a[{at}], {n});",
        f"v = v * 2 + {n};",
        f"v = {n};",
    ])


def block(rng, me, depth=0):
    use = variable_use(rng, me)
    inside = " ".join(block(rng, me, depth + 1) for _ in range(rng.randint(0, 1))) if depth < 2 \
        else use
    k = rng.randint(0, 1)
    return rng.choice([
        use, use, use,
        f"pthread_mutex_lock(&m[{k}]); {inside} pthread_mutex_unlock(&m[{k}]);",
        f"pthread_mutex_lock(&m[{k}]); pthread_mutex_lock(&m[{1 - k}]); {use} "
        f"pthread_mutex_unlock(&m[{k}]); pthread_mutex_unlock(&m[{1 - k}]);",
        f"if (pthread_mutex_trylock(&m[{k}]) == 0) {{ {use} pthread_mutex_unlock(&m[{k}]); }}",
        "pthread_mutex_lock(&m[0]); pthread_cond_wait(&c, &m[0]); pthread_mutex_unlock(&m[0]);",
        rng.choice(["pthread_cond_signal(&c);", "pthread_cond_broadcast(&c);"]),
        rng.choice([f"sem_wait(&s[{k}]);", f"sem_post(&s[{k}]);",
                    f"if (sem_trywait(&s[{k}]) == 0) {{ {use} }}"]),
        rng.choice(["pthread_rwlock_rdlock(&w);", "pthread_rwlock_wrlock(&w);"])
        + f" {inside} pthread_rwlock_unlock(&w);",
        rng.choice(["if (pthread_rwlock_tryrdlock(&w) == 0)", "if (pthread_rwlock_trywrlock(&w) == 0)"])
        + f" {{ {use} pthread_rwlock_unlock(&w); }}",
        "pthread_barrier_wait(&b);",
        f"if (bohr_choose(2)) {{ {use} }}",
        f"assert(atomic_load(&a[{k}]) != 2);",
        rng.choice([use, use, "exit(3);"]),
    ])


def random_program(rng):
    count = rng.choice([2, 2, 3])
    return [[block(rng, me) for _ in range(rng.randint(1, 5 - count))] for me in range(count)]


def source_of(programs):
    text = HEAD
    for number, threads in enumerate(programs):
        for me, statements in enumerate(threads):
            body = "\n".join("    " + statement for statement in statements)
            text += (f"static void *work{number}_{me}(void *unused)\n{{\n{body}\n"
                     "    return unused;\n}\n")
    rows = ", ".join("{" + ", ".join(f"work{number}_{me}" for me in range(len(threads))) + "}"
                     for number, threads in enumerate(programs))
    text += f"static void *(*const work[][3])(void *) = {{{rows}}};\n"
    text += f"static const int counts[] = {{{', '.join(str(len(p)) for p in programs)}}};\n"
    return text + TAIL


def ends_of(result):
    return sorted({(f["kind"], f["message"], f["line"] or 0) for f in result["findings"]
                   if f["kind"] != "race"})


def explore(bench, options, program, number):
    states = bench.folder / "states"
    states.unlink(missing_ok=True)
    options = ["-k", "--races", "warn", "-n", EXECUTIONS_MAX, *options]
    result = bench.explore(options, program, [number, states])
    lines = states.read_text().splitlines() if states.exists() else []
    return result, sorted(set(lines))


def compare(bench, program, number, threads, counts):
    plain, states = explore(bench, ["-s", "dfs", "--no-shrink"], program, number)
    if not plain["complete"]:
        return False
    ended_early = bool(ends_of(plain)) or any("exit" in text for thread in threads for text in thread)
    for reduction in ("optimal", "source", "classic")[:None if number % ALL_REDUCTIONS == 0 else 1]:
        options = ["-s", "dpor", "--reduction", reduction, "--no-shrink"]
        reduced, reached = explore(bench, options, program, number)
        wanted = [plain["classes"], plain["class_set"], states, ends_of(plain), True]
        got = [reduced["classes"], reduced["class_set"], reached, ends_of(reduced), reduced["complete"]]
        if reduction == "optimal" and not ended_early and plain["restarts"] == 0:
            wanted += [plain["classes"], 0]
            got += [reduced["executions"], reduced["cut"]]
        if wanted != got:
            fail(f"random program {number}", options=shown(options),
                 threads="\n                ".join(" ".join(thread) for thread in threads),
                 expected=wanted, actual=got)
        counts[reduction] += reduced["executions"]
    counts["dfs"] += plain["executions"]
    return True


def check(bench):
    rng, done = random.Random(SEED), 0
    counts = dict.fromkeys(["dfs", "optimal", "source", "classic"], 0)
    while done < PROGRAMS:
        programs = [random_program(rng) for _ in range(TOGETHER)]
        program = bench.build(f"random-{done}", source_of(programs))
        for number, threads in enumerate(programs):
            done += compare(bench, program, number, threads, counts)
    print(f"ok   {done} random programs: " +
          ", ".join(f"{name} {count} executions" for name, count in counts.items()))


if __name__ == "__main__":
    bench_run(check)
