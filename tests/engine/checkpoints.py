#!/usr/bin/env python3
"""A search whose executions begin at a later step than the first decision, and now at this one, now at that, is the
same search as one whose executions all begin at the start: with every strategy, where checkpoints are taken as it
pays, and where they are forced to be at all steps in turn, several behind each other. `make test` takes a sample of the
strategies."""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import COUNTS, bench_run, fail, findings_of, run, shown  # noqa: E402

THREADS = 6
SEEN = [*COUNTS, "threads", "max_enabled", "max_points", "max_steps", "claim"]

# Each thread has memory of its own before it meets the others: on the heap, on its stack, as thread-local
# variables, and under a lock that others have held. BODY is where they meet.
SOURCE = """
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
static atomic_int turn, order[THREADS], ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, own[THREADS];
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static _Thread_local int local;
static int total;
struct block {
    struct block *before;
    int owner;
};
static struct block *blocks;
static void *work(void *argument)
{
    long me = (long)argument;
    char stack[600], *heap = malloc(900 + 100 * me);
    local = (int)me + 1;
    memset(stack, (int)me + 1, sizeof stack);
    memset(heap, (int)me + 1, 900);
    pthread_mutex_lock(&own[me]);
    pthread_mutex_unlock(&own[me]);
    BODY
    assert(local == me + 1 && stack[0] == me + 1 && stack[599] == me + 1);
    assert(heap[0] == me + 1 && heap[899] == me + 1);
    free(heap);
    return NULL;
}
int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_mutex_init(&own[i], NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int count = 0;
    for (struct block *at = blocks; at != NULL; at = at->before)
        count++;
    assert(count == 0 || count == THREADS);
    return 0;
}
"""

ATOMIC = "order[turn++] = (int)me;"
LIST = """
    struct block *block = malloc(sizeof *block);
    block->owner = (int)me;
    pthread_mutex_lock(&mutex);
    block->before = blocks;
    blocks = block;
    pthread_mutex_unlock(&mutex);"""
ONCE = "assert(atomic_fetch_add(&turn, 1) != 3 || me != 0);"  # the first thread must not be the fourth
WAITS = """
    if (me == 0)
        ready = 1;
    else if (me < 3)
        while (!ready)
            PAUSE;
    turn++;"""
SIGNALS = """
    pthread_mutex_lock(&mutex);
    total++;
    while (me == 0 && total < THREADS)
        pthread_cond_wait(&changed, &mutex);
    if (total == THREADS)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);"""

RACES = """
    total += (int)me;
    heap[1] = (char)total;
    total = heap[1] + 1;"""

# So many that not all that is known of them is copied each time.
OBJECTS = """
    static atomic_int words[THREADS][300];
    for (int i = 0; i < 300; i++)
        words[me][i]++;
    order[turn++] = (int)me;
    words[me][0]++;"""

# Name, body, threads, and how many classes there are, where that is easily said.
PROGRAMS = [
    ("atomic", ATOMIC, THREADS, math.factorial(THREADS)),
    ("list", LIST, THREADS, math.factorial(THREADS)),
    ("fails", ONCE, THREADS, None),
    ("waits", WAITS.replace("PAUSE", ""), THREADS, None),
    ("yields", WAITS.replace("PAUSE", "sched_yield()"), THREADS, None),
    ("signals", SIGNALS, 5, None),
    ("races", RACES, 4, None),
    ("objects", OBJECTS, 5, math.factorial(5)),
]


# Threads that go on together for long: what a search changes first is near the end of an execution.
ROUNDS = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int shared;
static pthread_barrier_t barrier;
static void *work(void *unused)
{
    for (int i = 0; i < 120; i++) {
        shared++;
        pthread_barrier_wait(&barrier);
    }
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
DEEP = ["dfs", "preempt", "delay", "dpor"]  # change an execution near its end before they change its beginning
FEW = ["list", "fails", "signals", "races"]


def compare(bench, name, program, options, ways):
    """How often each of these ways took a checkpoint."""
    wanted = bench.explore([*options, "--no-checkpoint"], program)
    taken = []
    for way in ways:
        got = bench.explore([*options, *way], program)
        again = shown(["bohr", "run", *options, *way, name])
        bench.compare(name, wanted, got, SEEN, again=again)
        if findings_of(wanted) != findings_of(got):
            fail(name, expected=findings_of(wanted), actual=findings_of(got), again=again)
        if "--verify" in way and got["verified"] == 0:
            fail(f"{name}: no reset was verified", again=again)
        taken.append(got["checkpoints"])
    return wanted, taken


def check_reduced(bench):
    moved = 0
    for name, body, threads, classes in PROGRAMS:
        if name == "races":
            continue
        source = SOURCE.replace("BODY", body).replace("THREADS", str(threads))
        program = bench.build(name, source)
        ways = [["--verify", 100, "--tracking", tracking] for tracking in ("auto", "protect")]
        wanted, taken = compare(bench, name, program, ["-s", "dpor", "-k", "-n", 20000], ways)
        if classes is not None and [wanted["executions"], wanted["cut"]] != [classes, 0]:
            fail(name, expected=f"{classes} executions, none of them cut",
                 actual=f"{wanted['executions']} and {wanted['cut']}")
        moved += sum(count > 1 for count in taken)
        print(f"ok   {name}: {wanted['executions']} executions, {wanted['classes']} classes, "
              f"{taken} checkpoints")
    if moved < len(PROGRAMS) - 1:
        fail("too few searches begin at a later step", expected=f"{len(PROGRAMS) - 1} or more",
             actual=moved)


def check_strategies(bench):
    unknown = run([bench.bohr, "run", "-s", "none-such", sys.executable])
    strategies = unknown.text().strip().split("the strategies are: ")[-1].split(", ")
    if not set(DEEP) < set(strategies):
        fail("strategies are listed otherwise", expected=f"{DEEP} among them", actual=strategies)
    forced = ["--force-checkpoints", "--verify", 5]
    for name, body, _, _ in PROGRAMS:
        if name not in FEW:
            continue
        source = SOURCE.replace("BODY", body).replace("THREADS", "3")
        program = bench.build(f"{name}-3", source)
        for strategy in tier.sample(name, strategies, 5):
            few = 100 if name == "races" else 250
            _, taken = compare(bench, f"{name}, {strategy}", program,
                               ["-s", strategy, "-k", "--no-shrink", "-n", few], [forced])
            if taken[0] < 2:
                fail(f"{name}, {strategy}: no checkpoint was forced", actual=taken)
        print(f"ok   {name}: {len(strategies)} strategies, checkpoints at every step")


def check_long(bench):
    program = bench.build("rounds", ROUNDS)
    for strategy in DEEP:
        wanted, taken = compare(bench, f"rounds, {strategy}", program, ["-s", strategy, "-n", 1000],
                                [["--verify", 100], ["--tracking", "protect"]])
        if min(taken) < 2:
            fail(f"rounds, {strategy}: all executions begin at the first decision", actual=taken)
        print(f"ok   rounds, {strategy}: {wanted['max_steps']} steps, {taken} checkpoints")


def check_memory(bench):
    """Where there is room for few, or for none behind the first, others are taken in their place."""
    program = bench.build("rounds", ROUNDS)
    for strategy in ("preempt", "dfs"):
        for memory, most in (("4M", math.inf), ("100K", 1)):
            _, taken = compare(bench, f"rounds, {strategy}, {memory}", program, ["-s", strategy, "-n", 1000],
                               [["--memory", memory, "--verify", 50]])
            if not min(most, 3) <= taken[0] <= most:
                fail(f"rounds, {strategy}: checkpoints in {memory}", expected=f"at most {most}", actual=taken)
    print("ok   rounds: little memory for checkpoints")


def check(bench):
    check_reduced(bench)
    check_strategies(bench)
    check_long(bench)
    check_memory(bench)


bench_run(check)
