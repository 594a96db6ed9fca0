#!/usr/bin/env python3
"""Random programs in C with waits, locks and semaphores that may time out, sleeps, and clocks that are looked
at: dpor and bpor show the classes, final states, deadlocks and failures that plain search shows, and claim so. `make test`
takes the first third of the programs or fewer."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402
from reductions import ends_of, explore, source_of, variable_use  # noqa: E402

PROGRAMS, TOGETHER, SEED = tier.by_tier(10, 20, 60), 20, 3
SEARCHES = (["dpor"], ["dpor", "-j", "2"], ["dpor", "--reduction", "source"], ["dpor", "--reduction", "classic"], ["bpor"])

HELPERS = """
#include <time.h>
#define INLINE static inline __attribute__((always_inline)) int
static struct timespec until(long seconds)
{
    return (struct timespec){.tv_sec = 1700000000 + seconds};
}
INLINE wait_until(int mutex, long seconds)
{
    struct timespec time = until(seconds);
    return pthread_cond_timedwait(&c, &m[mutex], &time) == 0;
}
INLINE lock_until(int mutex, long seconds)
{
    struct timespec time = until(seconds);
    return pthread_mutex_timedlock(&m[mutex], &time) == 0;
}
INLINE sem_until(int semaphore, long seconds)
{
    struct timespec time = until(seconds);
    return sem_timedwait(&s[semaphore], &time) == 0;
}
INLINE read_until(long seconds)
{
    struct timespec time = until(seconds);
    return pthread_rwlock_timedrdlock(&w, &time) == 0;
}
INLINE write_until(long seconds)
{
    struct timespec time = until(seconds);
    return pthread_rwlock_timedwrlock(&w, &time) == 0;
}
static int passed(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int)(now.tv_sec - 1700000000);
}
static int compare("""


def block(rng, me, looks):
    use, k, n = variable_use(rng, me), rng.randint(0, 1), rng.randint(1, 9)
    note = f"seen[{me}] = seen[{me}] * 3 +"
    wait = f"pthread_mutex_lock(&m[0]); {note} wait_until(0, {n}); pthread_mutex_unlock(&m[0]);"
    return rng.choice([
        use, wait, wait, wait,
        "pthread_mutex_lock(&m[0]); pthread_cond_signal(&c); pthread_mutex_unlock(&m[0]);",
        rng.choice(["pthread_cond_signal(&c);", "pthread_cond_broadcast(&c);"]),
        f"if (lock_until({k}, {n})) {{ {use} pthread_mutex_unlock(&m[{k}]); }}",
        rng.choice([f"{note} sem_until({k}, {n});", f"sem_post(&s[{k}]);"]),
        rng.choice([f"if (read_until({n}))", f"if (write_until({n}))"])
        + f" {{ {use} pthread_rwlock_unlock(&w); }}",
        f"{note} passed();" if looks else use,
        f"assert(atomic_load(&a[{k}]) != 2);",
    ])


# Each call is a place of its own: a thread that times out again at the same one gives way, of which nothing is claimed. After
# a sleep plain search lets the others go first.
def random_program(rng):
    count, looks = rng.choice([2, 2, 3]), rng.randint(0, 2) == 0
    return [[block(rng, me, looks) for _ in range(rng.randint(1, 5 - count))]
            + ["usleep(2000000);"] * (rng.randint(0, 3) == 0) for me in range(count)]


def compare(bench, program, number, threads, counts):
    plain, states = explore(bench, ["-s", "dfs"], program, number)
    if not plain["complete"]:
        return False
    for search in SEARCHES[:None if number % 3 == 0 else 1]:
        options = ["-s", *search]
        reduced, reached = explore(bench, options, program, number)
        wanted = [plain["classes"], plain["class_set"], states, ends_of(plain), "all-classes"]
        got = [reduced["classes"], reduced["class_set"], reached, ends_of(reduced), reduced["claim"]["kind"]]
        if wanted != got:
            fail(f"random program {number}", options=shown(options),
                 threads="\n                ".join(" ".join(thread) for thread in threads),
                 expected=wanted, actual=got)
        if len(search) == 1:
            counts[search[0]] += reduced["executions"]
    counts["dfs"] += plain["executions"]
    return True


def check(bench):
    rng, done = random.Random(SEED), 0
    counts = {"dfs": 0, "dpor": 0, "bpor": 0}
    while done < PROGRAMS:
        programs = [random_program(rng) for _ in range(TOGETHER)]
        text = source_of(programs).replace("static int compare(", HELPERS.lstrip(), 1)
        program = bench.build(f"timed-{done}", text)
        for number, threads in enumerate(programs):
            done += compare(bench, program, number, threads, counts)
    print(f"ok   {done} random programs that take time: " +
          ", ".join(f"{name} {count} executions" for name, count in counts.items()))


if __name__ == "__main__":
    bench_run(check)
