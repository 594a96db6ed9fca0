#!/usr/bin/env python3
"""Random programs in C whose accesses overlap in part (1, 2, 4 and 8 bytes, atomic and plain), wait for each
other in loops, or race with frees: dpor, bpor and --cache show the classes, final states and findings that
plain search shows, and claim so;
where a loop waits for what others write in part, they do if they claim it. `make test` takes the first third of the programs
or fewer."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402
from reductions import ends_of, explore, source_of  # noqa: E402

PROGRAMS, TOGETHER, SEED = tier.by_tier(5, 10, 30), 15, 3
SEARCHES = (["-s", "dpor"], ["-s", "dpor", "-j", "3"], ["-s", "dpor", "--reduction", "source"], ["-s", "bpor"],
            ["-s", "best", "--reduction", "classic"], ["-s", "dfs", "--cache"])
SIZES = (("byte", 8), ("quarter", 4), ("half", 2), ("all", 1))

MEMORY = """
static union {
    _Atomic unsigned long all[1];
    _Atomic unsigned half[2];
    _Atomic unsigned short quarter[4];
    _Atomic unsigned char byte[8];
} u;
static union {
    unsigned long all[1];
    unsigned half[2];
    unsigned short quarter[4];
    unsigned char byte[8];
} p;
struct node {
    int value;
    short part[2];
    pthread_mutex_t lock;
    pthread_rwlock_t door;
    sem_t count;
};
static struct node nodes[2], *at[2] = {&nodes[0], &nodes[1]};
__attribute__((constructor)) static void make_nodes(void)
{
    for (int i = 0; i < 2; i++) {
        at[i] = calloc(1, sizeof *at[i]);
        sem_init(&at[i]->count, 0, 1);
    }
}
static struct node *new_node(int value)
{
    struct node *node = calloc(1, sizeof *node);
    node->value = value;
    sem_init(&node->count, 0, 1);
    return node;
}
"""


def place(rng):
    name, count = rng.choice(SIZES)
    return f"{name}[{rng.randrange(count)}]"


def overlapping(rng, me):
    n = rng.randint(1, 3)
    return rng.choice([
        f"atomic_store(&u.{place(rng)}, {n});",
        f"atomic_fetch_add(&u.{place(rng)}, {n});",
        f"seen[{me}] = seen[{me}] * 3 + (int)atomic_load(&u.{place(rng)});",
        f"p.{place(rng)} = {n};",
        f"seen[{me}] = seen[{me}] * 3 + (int)p.{place(rng)};",
    ])


def waiting(rng, me):
    return f"while (!atomic_load(&u.{place(rng)})) ;" if rng.randrange(4) == 0 else overlapping(rng, me)


def freeing(rng, me):
    k = rng.randint(0, 1)
    return rng.choice([
        f"at[{k}]->value = {rng.randint(1, 3)};",
        f"seen[{me}] = seen[{me}] * 3 + at[{k}]->value;",
        f"at[{k}]->part[{rng.randint(0, 1)}] = 1;",
        f"seen[{me}] = seen[{me}] * 3 + at[{k}]->part[{rng.randint(0, 1)}];",
        f"pthread_mutex_lock(&at[{k}]->lock); pthread_mutex_unlock(&at[{k}]->lock);",
        f"pthread_rwlock_rdlock(&at[{k}]->door); pthread_rwlock_unlock(&at[{k}]->door);",
        f"sem_post(&at[{k}]->count);",
        f"free(at[{k}]);",
        f"at[{k}] = new_node({rng.randint(1, 3)});",
    ])


def random_program(rng):
    statement, count = rng.choice([overlapping, waiting, freeing]), rng.choice([2, 2, 3])
    return [[statement(rng, me) for _ in range(rng.randint(1, 5 - count))] for me in range(count)]


def compare(bench, program, number, threads):
    plain, states = explore(bench, ["-s", "dfs", "--no-shrink"], program, number)
    if not plain["complete"]:
        return False
    # Plain search counts futile iterations of a loop, a reduction does not.
    waits = any("while" in text for thread in threads for text in thread)
    for options in SEARCHES:
        reduced, reached = explore(bench, [*options, "--no-shrink"], program, number)
        if reduced["claim"]["kind"] == "nothing" and waits and \
                not any(f["kind"] == "nondeterminism" for f in reduced["findings"]):
            continue
        wanted = [states, ends_of(plain), "all-classes"]
        got = [reached, ends_of(reduced), reduced["claim"]["kind"]]
        wanted += [True] if waits else [plain["classes"], plain["class_set"]]
        got += [reduced["classes"] <= plain["classes"]] if waits else [reduced["classes"], reduced["class_set"]]
        if wanted != got:
            fail(f"random program {number}", options=shown(options),
                 threads="\n                ".join(" ".join(thread) for thread in threads),
                 expected=wanted, actual=got)
    return True


def check(bench):
    rng, done = random.Random(SEED), 0
    while done < PROGRAMS:
        programs = [random_program(rng) for _ in range(TOGETHER)]
        text = source_of(programs)
        at = text.index("static void *work0_0")
        program = bench.build(f"memory-{done}", text[:at] + MEMORY + text[at:])
        for number, threads in enumerate(programs):
            done += compare(bench, program, number, threads)
    print(f"ok   {done} random programs with accesses that overlap, loops that wait and frees that race")


if __name__ == "__main__":
    bench_run(check)
