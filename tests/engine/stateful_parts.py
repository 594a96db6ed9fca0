#!/usr/bin/env python3
"""What a state is made of, for `stateful`. For each part a program in which something is lost if that part is left out
(`--fault state-PART`), so that two states are taken for one; addresses of the heap, which are no part of it; tables that
are full; and what the strategy is not for."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, sentence_of, shown  # noqa: E402

HEAD = """
#include <assert.h>
#include <bohr.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int x, y, z, *h;
int v; /* not static, or it would be known to be 0 */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
"""
MAIN = """
static void *work1(void *unused) { FIRST return unused; }
static void *work2(void *unused) { SECOND return unused; }
static void *work3(void *unused) { THIRD return unused; }
int main(void)
{
    pthread_t threads[3];
    BEFORE
    pthread_create(&threads[0], NULL, work1, NULL);
    pthread_create(&threads[1], NULL, work2, NULL);
    pthread_create(&threads[2], NULL, work3, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""

# part: (the kind of finding that is lost, what is done before, three threads)
PARTS = {
    "memory": ("assertion", "", "atomic_store(&x, 1); atomic_store(&y, 2); int n = atomic_load(&y); assert(n != 1);",
               "if (bohr_choose(2)) atomic_store(&y, 1);", ""),
    "heap": ("assertion", "h = calloc(1, sizeof *h);",
             "atomic_load(&x); int n = atomic_load(h); assert(n != 1);", "if (bohr_choose(2)) atomic_store(h, 1);", ""),
    "operands": ("assertion", "", "atomic_store(&y, atomic_load(&x)); int n = atomic_load(&y); assert(n != 1);",
                 "atomic_store(&x, 1); atomic_store(&x, 0);", ""),
    "registers": ("assertion", "", "int n = atomic_load(&x); sched_yield(); assert(n != 1);",
                  "atomic_store(&x, 1); atomic_store(&x, 0);", ""),
    "stacks": ("assertion", "", "volatile int n = atomic_load(&x); sched_yield(); assert(n != 1);",
               "atomic_store(&x, 1); atomic_store(&x, 0);", ""),
    "model": ("deadlock", "", "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
              "if (atomic_load(&x)) pthread_cond_signal(&c); else pthread_cond_broadcast(&c); "
              "atomic_store(&y, 1); atomic_store(&y, 0);", ""),
    # what two threads have read tells each whether to access the variable; that changes nothing, and they go on alike
    "ways": ("race", "", "if (atomic_load(&x)) v = 0;", "if (atomic_load(&y) && v) atomic_store(&z, 1);",
             "atomic_store(&x, 1); atomic_store(&y, 1);"),
}


def source(before, first, second, third):
    text = MAIN
    for name, value in (("BEFORE", before), ("FIRST", first), ("SECOND", second), ("THIRD", third)):
        text = text.replace(name, value)
    return HEAD + text


def kinds_of(result):
    return {finding["kind"] for finding in result["findings"]}


def check_part(bench, part):
    kind, *texts = PARTS[part]
    program = bench.build(part, source(*texts), ["-O2"])
    options = ["-s", "stateful", "-k"]
    plain = bench.explore(["-s", "dfs", "-k"], program)
    whole = bench.explore(options, program)
    if kind not in kinds_of(plain) or kinds_of(whole) != kinds_of(plain) or not whole["complete"]:
        fail(f"{part}: a state is not whole", expected=kinds_of(plain), actual=kinds_of(whole),
             claim=whole["claim"]["text"])
    faulty = bench.explore([*options, "--fault", f"state-{part}"], program)
    if kinds_of(faulty) == kinds_of(plain) and faulty["states"] == whole["states"]:
        fail(f"nothing tells that the {part} are left out", expected=f"without {kind}", actual=kinds_of(faulty))
    if faulty["claim"]["kind"] != "nothing":
        fail(f"something is claimed with a fault in the {part}", actual=faulty["claim"]["text"])
    print(f"{part}: {sorted(kinds_of(whole))} in {whole['states']} states; "
          f"without it {sorted(kinds_of(faulty))} in {faulty['states']}")


def check_mixed(bench):
    """The same for atomic accesses that plain ones race with."""
    text = PARTS["ways"][1:]
    text = (text[0], text[1].replace("v = 0", "atomic_store_explicit((atomic_int *)&v, 0, memory_order_relaxed)"),
            *text[2:])
    program = bench.build("mixed", source(*text), ["-O2"])
    plain = bench.explore(["-s", "dfs", "-k"], program)
    whole = bench.explore(["-s", "stateful", "-k"], program)
    if "race" not in kinds_of(plain) or kinds_of(whole) != kinds_of(plain):
        fail("a race with an atomic access is missed", expected=kinds_of(plain), actual=kinds_of(whole))


HEAP = """
static void *work(void *unused)
{
    GARBAGE
    atomic_int *p = malloc(sizeof *p);
    atomic_init(p, 1);
    atomic_fetch_add(p, 1);
    atomic_fetch_add(&x, *p);
    free(p);
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
LOOP = """
static void *work(void *unused)
{
    while (!atomic_load(&x))
        free(malloc(16));
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    atomic_store(&x, 1);
    pthread_join(thread, NULL);
    return 0;
}
"""


def check_heap(bench):
    """However many blocks were allocated and freed before, the state is the same."""
    plain = bench.explore(["-s", "stateful"], bench.build("heap", HEAD + HEAP.replace("GARBAGE", ""), ["-O2"]))
    chosen = "if (bohr_choose(2)) free(malloc(100));"
    moved = bench.explore(["-s", "stateful"],
                          bench.build("heap-moved", HEAD + HEAP.replace("GARBAGE", chosen), ["-O2"]))
    # one place more for each thread, which stands there beside all that the other can be at
    places = bench.explore(["-s", "stateful"],
                           bench.build("heap-placed", HEAD + HEAP.replace("GARBAGE", "sched_yield();"), ["-O2"]))
    if not plain["complete"] or not moved["complete"] or moved["states"] != places["states"]:
        fail("addresses tell states apart", expected=f"{places['states']} states", actual=f"{moved['states']} states")
    loop = bench.explore(["-s", "stateful"], bench.build("heap-loop", HEAD + LOOP, ["-O2"]), status=0)
    if not loop["complete"] or loop["claim"]["kind"] != "all-states":
        fail("a loop that allocates has no end", actual=loop["claim"]["text"])


FULL = """
static atomic_int many[3];
static void *work(void *argument)
{
    for (int i = 0; i < 24; i++)
        atomic_fetch_add(&many[(long)argument], 1);
    return NULL;
}
int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""


def check_full(bench):
    program = bench.build("full", HEAD + FULL, ["-O2"])
    roomy = bench.explore(["-s", "stateful"], program, status=0)
    if not roomy["complete"] or roomy["states"] < 25 ** 3 or roomy["state_bytes"] < 24 * roomy["states"]:
        fail("states that are many", expected=f"at least {25 ** 3}", actual=roomy["states"], claim=roomy["claim"]["text"])
    full = bench.explore(["-s", "stateful", "--memory", "200K", "-n", 20000], program, status=0)
    if "the table of states was full" not in full["claim"]["text"] or full["states"] >= roomy["states"]:
        fail("a table that is full", actual=f"{full['states']} states, {full['claim']['text']}")


def check_refused(bench):
    program = bench.build("refused", source("", "", "", ""))
    for options in (["--isolate", "fork"], ["--isolate", "exec"], ["--carrier", "kernel"], ["-j", "2"], ["--cache"],
                    ["--symmetry"], ["--same-output", "-"], ["--trust", "main"], ["-b", "2"]):
        command, report = bench.command(["-s", "stateful", *options], program)
        done = run(command)
        if done.status != 2 or report.exists() or len(sentence_of(done.errors).splitlines()) != 1:
            fail("what does not go together", command=shown(command), expected="exit status 2 and one sentence",
                 actual=f"{done.status}: {done.errors}")


def check(bench):
    for part in PARTS:
        check_part(bench, part)
    check_mixed(bench)
    check_heap(bench)
    check_full(bench)
    check_refused(bench)


bench_run(check)
