#!/usr/bin/env python3
"""Random programs of plain accesses, atomics and locks end in the same set of final states whether
every access is a step or only those that race: promotion must find every site that matters. The set
is also that of an enumeration in this script, which knows nothing of the tool. `make test` takes the first third of the
programs or fewer."""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import bench_run, fail, shown  # noqa: E402

PROGRAMS, SEED = tier.by_tier(4, 8, 24), 1
HEAD = """
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static volatile int v[2];
static atomic_int a;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
"""
TAIL = """
int main(int argc, char **argv)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, work0, NULL);
    pthread_create(&threads[1], NULL, work1, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    char text[64];
    sprintf(text, "%d %d %d\\n", v[0], v[1], (int)a);
    int file = open(argv[1], O_WRONLY | O_APPEND | O_CREAT, 0644);
    if (write(file, text, strlen(text)) < 0)
        return 1;
    close(file);
    return 0;
}
"""


def random_thread(rng, me):
    """A list of statements: (kind, target, constant)."""
    statements, locked = [], rng.random() < 0.4
    for _ in range(rng.randint(1, 3)):
        statements.append((rng.choice(["set", "copy", "add", "atomic", "from-atomic"]),
                           rng.randint(0, 1), rng.randint(1, 3) + 4 * me))
    if locked:
        at = rng.randint(0, len(statements) - 1)
        statements[at:at + 1] = [("lock", 0, 0), statements[at], ("unlock", 0, 0)]
    return statements


def as_c(statement):
    kind, target, constant = statement
    return {
        "set": f"v[{target}] = {constant};",
        "copy": f"v[{target}] = v[{1 - target}];",
        "add": f"v[{target}] = v[{target}] * 3 + {constant};",
        "atomic": f"atomic_store(&a, v[{target}] + {constant});",
        "from-atomic": f"v[{target}] = atomic_load(&a) + {constant};",
        "lock": "pthread_mutex_lock(&mutex);",
        "unlock": "pthread_mutex_unlock(&mutex);",
    }[kind]


def as_steps(statement):
    """Indivisible steps: functions from (state, register) to (state, register); None: not enabled.
    A state is v[0], v[1], a and the holder of the mutex."""
    kind, target, constant = statement

    def put(state, at, value):
        return state[:at] + (value,) + state[at + 1:]

    def load(at):
        return lambda state, register, me: (state, state[at])

    def store(at, change):
        return lambda state, register, me: (put(state, at, change(register)), register)

    return {
        "set": [store(target, lambda r: constant)],
        "copy": [load(1 - target), store(target, lambda r: r)],
        "add": [load(target), store(target, lambda r: r * 3 + constant)],
        "atomic": [load(target), store(2, lambda r: r + constant)],
        "from-atomic": [load(2), store(target, lambda r: r + constant)],
        "lock": [lambda s, r, me: (put(s, 3, me), r) if s[3] is None else None],
        "unlock": [lambda s, r, me: (put(s, 3, None), r)],
    }[kind]


def enumerate_states(threads):
    """All final states of all interleavings, by search over states."""
    code = [[step for statement in thread for step in as_steps(statement)] for thread in threads]
    todo, seen, final = [((0, 0, 0, None), (0, 0), (0, 0))], set(), set()
    while todo:
        at = todo.pop()
        if at in seen:
            continue
        seen.add(at)
        state, counters, registers = at
        if all(counters[i] == len(code[i]) for i in range(2)):
            final.add(state[:3])
        for i in range(2):
            if counters[i] == len(code[i]):
                continue
            after = code[i][counters[i]](state, registers[i], i)
            if after is None:
                continue
            more = [list(counters), list(registers)]
            more[0][i] += 1
            more[1][i] = after[1]
            todo.append((after[0], tuple(more[0]), tuple(more[1])))
    return final


def check(bench):
    rng, executions = random.Random(SEED), {"race": 0, "all": 0}
    states = bench.folder / "states"
    for number in range(PROGRAMS):
        threads = [random_thread(rng, me) for me in range(2)]
        source = HEAD
        for me, thread in enumerate(threads):
            body = "\n".join("    " + as_c(statement) for statement in thread)
            source += f"static void *work{me}(void *unused)\n{{\n{body}\n    return unused;\n}}\n"
        program = bench.build(f"random-{number}", source + TAIL)
        wanted = enumerate_states(threads)
        for points in ("all", "race"):
            states.unlink(missing_ok=True)
            options = ["-s", "dfs", "-k", "--races", "warn", "--points", points]
            result = bench.explore(options, program, [states])
            executions[points] += result["executions"]
            got = {tuple(map(int, line.split())) for line in states.read_text().splitlines()}
            if got != wanted or not result["complete"]:
                fail(f"random program {number} of seed {SEED}, --points {points}",
                     threads="\n                ".join(
                         " ".join(map(as_c, thread)) for thread in threads),
                     expected=f"{len(wanted)} final states, a complete search",
                     missing=sorted(wanted - got), surplus=sorted(got - wanted),
                     complete=result["complete"], options=shown(options))
    print(f"ok   {PROGRAMS} random programs: {executions['all']} executions with every access a "
          f"step, {executions['race']} with racing ones only, the same final states")


bench_run(check)
