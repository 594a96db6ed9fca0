#!/usr/bin/env python3
"""Programs of every kind make the same executions, classes, traces and findings in every isolation
mode, with either way to see changed pages, on both carriers, with and without a checkpoint. `make test` compares two modes
with the first one."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import tier  # noqa: E402
from engine import COUNTS, bench_run, fail, findings_of  # noqa: E402

MODES = {
    "reset, userfault": ["--isolate", "reset", "--tracking", "userfault"],
    "reset, protect": ["--isolate", "reset", "--tracking", "protect"],
    "reset, no checkpoint": ["--isolate", "reset", "--no-checkpoint"],
    "fork": ["--isolate", "fork"],
    "fork, no checkpoint": ["--isolate", "fork", "--no-checkpoint"],
    "exec": ["--isolate", "exec"],
    "kernel threads, fork": ["--isolate", "fork", "--carrier", "kernel"],
    "kernel threads, exec": ["--isolate", "exec", "--carrier", "kernel"],
}
TWO_THREADS = """
int main(void)
{
    pthread_t threads[2];
    before();
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    between();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
"""
HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
"""
NOTHING = """
static void before(void) {}
static void between(void) {}
"""
MUTEX = HEAD + NOTHING + """
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *last;
static __thread int own;
static void *work(void *argument)
{
    for (int i = 0; i < 2; i++) {
        char *block = malloc(40);
        strcpy(block, "text");
        pthread_mutex_lock(&mutex);
        free(last);
        last = block;
        pthread_mutex_unlock(&mutex);
        own++;
    }
    assert(own == 2);
    return argument;
}
""" + TWO_THREADS
COND = HEAD + """
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int tokens;
static void before(void) {}
static void between(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&mutex);
        tokens++;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
    }
}
static void *work(void *argument)
{
    pthread_mutex_lock(&mutex);
    while (tokens == 0)
        pthread_cond_wait(&cond, &mutex);
    tokens--;
    pthread_mutex_unlock(&mutex);
    return argument;
}
""" + TWO_THREADS
ATOMICS = HEAD + NOTHING + """
static atomic_int a, b;
static void *work(void *argument)
{
    atomic_fetch_add(&a, 1);
    if (atomic_load(&a) == 1)
        atomic_store(&b, (int)(long)argument);
    int expected = 2;
    atomic_compare_exchange_strong(&a, &expected, 3);
    return NULL;
}
""" + TWO_THREADS
RACY = HEAD + NOTHING + """
static volatile int sum;
static void *work(void *argument)
{
    sum = sum + 1;
    sum = sum + 1;
    return argument;
}
""" + TWO_THREADS
CRASH = HEAD + """
static int place;
static _Atomic(int *) where;
static void before(void) { where = &place; }
static void between(void) { atomic_store(&where, NULL); }
static void *work(void *argument)
{
    int *to = atomic_load(&where);
    int *again = atomic_load(&where);
    return to == NULL ? argument : (void *)(long)*again;
}
""" + TWO_THREADS
DEADLOCK = HEAD + NOTHING + """
static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void *work(void *argument)
{
    long me = (long)argument;
    pthread_mutex_lock(&mutexes[me]);
    pthread_mutex_lock(&mutexes[1 - me]);
    pthread_mutex_unlock(&mutexes[1 - me]);
    pthread_mutex_unlock(&mutexes[me]);
    return NULL;
}
""" + TWO_THREADS
SETUP = HEAD + """
static char *table[200];
static pthread_mutex_t mutex;
static pthread_key_t key;
static atomic_int destroyed;
static void destroy(void *value)
{
    free(value);
    atomic_fetch_add(&destroyed, 1);
}
static void before(void)
{
    pthread_mutex_init(&mutex, NULL);
    pthread_key_create(&key, destroy);
    for (int i = 0; i < 200; i++) {
        table[i] = malloc(64 + i);
        memset(table[i], i, 64);
    }
}
static void between(void) {}
static void *work(void *argument)
{
    pthread_setspecific(key, malloc(10));
    pthread_mutex_lock(&mutex);
    table[7][0]++;
    assert(table[7][0] <= 9);
    pthread_mutex_unlock(&mutex);
    return argument;
}
""" + TWO_THREADS
EXCEPTIONS = """
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
static std::mutex mutex;
static std::atomic<int> turn;
thread_local std::string own = "own";
static void work(int me)
{
    for (int i = 0; i < 2; i++) {
        try {
            std::lock_guard<std::mutex> lock(mutex);
            own += std::to_string(me);
            if (turn.fetch_add(1) == me)
                throw std::runtime_error("turn " + own);
        } catch (const std::runtime_error &error) {
            assert(std::string(error.what()).find("turn own") == 0);
        }
    }
    assert(own.size() == 5);
}
int main()
{
    std::thread one(work, 0), two(work, 1);
    one.join();
    two.join();
    return 0;
}
"""
# name, source, kinds of findings that must come out, options
PROGRAMS = [
    ("mutex and heap", MUTEX, set(), []),
    ("two waiters", COND, set(), []),
    ("atomics", ATOMICS, set(), []),
    ("racy accesses", RACY, {"race"}, []),
    ("crash", CRASH, {"crash"}, []),
    ("deadlock", DEADLOCK, {"deadlock"}, []),
    ("set-up and keys", SETUP, set(), []),
    ("exceptions", EXCEPTIONS, set(), ["-b", "2"]),
]


def check(bench):
    for name, source, kinds, options in PROGRAMS:
        program = bench.build(name.replace(" ", "-"), source)
        strategy = ["-s", "preempt" if options else "dfs", "-k", *options]
        first, seconds = None, {}
        (reference, *others) = MODES.items()
        for mode, how in [reference, *tier.sample(name, others, 2)]:
            title = f"{name} in mode `{mode}`"
            result = bench.explore(strategy + how, program, status=1 if kinds else 0)
            seconds[mode] = result["wall_seconds"]
            if {finding["kind"] for finding in result["findings"]} != kinds:
                fail(title, expected=f"findings {sorted(kinds)}", actual=findings_of(result))
            if not result["complete"] and not options:
                fail(title, expected="a complete search", actual=result["claim"]["text"])
            first = first or result
            bench.compare(title, first, result,
                          COUNTS + ["threads", "max_enabled", "max_points", "max_steps"])
            if findings_of(first) != findings_of(result):
                fail(title, expected=findings_of(first), actual=findings_of(result))
            bench.replay_all(title, result if mode in ("reset, userfault", "fork") else
                             {"findings": []})
        print(f"ok   {name}: {first['executions']} executions, {first['classes']} classes in "
              f"{len(seconds)} modes, {sum(seconds.values()):.1f} s")


bench_run(check)
