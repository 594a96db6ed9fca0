#!/usr/bin/env python3
"""A loop that only reads makes one class for each way in which it can end, whatever it leaves in registers and stack slots.

The number of ways is counted here from the condition alone: each variable is written once, and of the waiting threads only
the last iteration counts. Some compilers emit the first iteration, or a part of it, as a piece of code of its own where a
loop has a body; its reads then count, too. Loops in which a register or a stack slot is read again are told apart: only the search that does so
finds what the second or third iteration shows."""
import itertools
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, findings_of  # noqa: E402

BUILDS = [(compiler, level) for compiler in ("gcc", "clang") for level in ("-O0", "-O1", "-O2")]
NAMES = "abc"

# What is waited for, as text and as a function of a reader of variables.
CONDITIONS = [
    ("a + b < 2", lambda read: read(0) + read(1) < 2),
    ("a < 1 || b < 1", lambda read: read(0) < 1 or read(1) < 1),
    ("!(a && b)", lambda read: not (read(0) and read(1))),
    ("a + b < 1", lambda read: read(0) + read(1) < 1),
    ("a + b + c < 2", lambda read: read(0) + read(1) + read(2) < 2),
    ("!a && !b", lambda read: not read(0) and not read(1)),
]
SOURCES = {
    "C": """
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int a, b, c;
""",
    "relaxed": """
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static atomic_int a_, b_, c_;
#define a atomic_load_explicit(&a_, memory_order_relaxed)
#define b atomic_load_explicit(&b_, memory_order_relaxed)
#define c atomic_load_explicit(&c_, memory_order_relaxed)
""",
    "C++": """
#include <atomic>
#include <pthread.h>
#include <sched.h>
static std::atomic<int> a_, b_, c_;
#define a a_.load(std::memory_order_acquire)
#define b b_.load()
#define c c_
""",
    "volatile": """
#include <pthread.h>
#include <sched.h>
static volatile int a, b, c;
""",
}
LOOP = """
static int is_less_%d(void) { return %s; }
static void *waits_%d(void *unused) { while (%s) ; return unused; }
static void *yields_%d(void *unused) { while (%s) sched_yield(); return unused; }
static void *calls_%d(void *unused) { while (is_less_%d()) ; return unused; }
"""
REST = """
static void *write_a(void *unused) { %s = 1; return unused; }
static void *write_b(void *unused) { %s = 1; return unused; }
static void *write_c(void *unused) { %s = 1; return unused; }
int main(int count, char **arguments)
{
    void *(*writers[])(void *) = {write_a, write_b, write_c};
    int loop = arguments[1][0] - 'a', way = arguments[2][0] - '0', waiting = arguments[3][0] - '0', n = arguments[4][0] - '0';
    pthread_t threads[5];
    for (int i = 0; i < waiting; i++)
        pthread_create(&threads[i], 0, loops[loop][way], 0);
    for (int i = 0; i < n; i++)
        pthread_create(&threads[waiting + i], 0, writers[i], 0);
    for (int i = 0; i < waiting + n; i++)
        pthread_join(threads[i], 0);
    return 0;
}
"""


def source_of(kind):
    text = SOURCES[kind]
    for number, (condition, _) in enumerate(CONDITIONS):
        text += LOOP % (number, condition, number, condition, number, condition, number, number)
    table = ", ".join(f"{{waits_{number}, yields_{number}, calls_{number}}}" for number in range(len(CONDITIONS)))
    text += f"static void *(*loops[][3])(void *) = {{{table}}};\n"
    return text + REST % tuple(name + ("_" if kind in ("relaxed", "C++") else "") for name in NAMES)


def reads_of(condition, values):
    """(variables read, in order; whether it goes on waiting)."""
    read = []

    def reader(variable):
        read.append(variable)
        return values[variable]
    goes_on = condition(reader)
    return tuple(read), bool(goes_on)


def iterations(condition, count, goes_on):
    """Of one thread: the values that an iteration may read one after the other, as (variable, value)."""
    found = set()
    for values in itertools.product((0, 1), repeat=count):
        read, result = reads_of(condition, values)
        if result == goes_on:
            found.add(tuple((variable, values[variable]) for variable in read))
    return found


def is_possible(runs, count):
    """Some order of all writes and reads gives these values: none of the orders they demand goes in a circle."""
    before = set()
    for number, run in enumerate(runs):
        steps = [(number, position) for position in range(len(run))]
        before |= set(zip(steps, steps[1:]))
        for step, (variable, value) in zip(steps, run):
            before.add((("write", variable), step) if value else (step, ("write", variable)))
    left = {step for pair in before for step in pair}
    while left:
        first = {step for step in left if not any(b == step and a in left for a, b in before)}
        if not first:
            return False
        left -= first
    return True


def ways(condition, waiting, count, apart):
    """APART: the first iteration is code of its own, and counts where it is not the last."""
    last = iterations(condition, count, False)
    each = list(last)
    if apart:
        each += [first + end for first in iterations(condition, count, True) for end in last]
    return sum(is_possible(runs, count) for runs in itertools.product(each, repeat=waiting))


def mentions(text):
    return sum(text.count(name) for name in NAMES)


def reads_in_code(code, function, number):
    """More than the condition has: a compiler has copied it in front of the loop."""
    body = re.search(rf"<[^>]*{function}_{number}(?:Pv)?>:\n(.*?)\n\n", code + "\n\n", re.S).group(1)
    return len(re.findall(r"call.*__tsan_(?:atomic32_load|\w*read4)", body))


def check_counts(bench, kind, compiler, level):
    settings = {"BOHR_CC": compiler, "BOHR_CXX": "g++" if compiler == "gcc" else "clang++"}
    source = source_of(kind)
    path = bench.write("ends" + (".cpp" if kind == "C++" else ".c"), source)
    program = bench.folder / "ends"
    build = [bench.bohr, "c++" if kind == "C++" else "cc", "-g", level, "-w", "-o", program, path, "-pthread"]
    bench.must(["env", *(f"{name}={value}" for name, value in settings.items()), *build])
    options = ["-s", "dpor", "--no-shrink", *(["--points", "all", "--races", "off"] if kind == "volatile" else [])]
    code = bench.must(["objdump", "-d", "--no-show-raw-insn", program]).output
    done = 0
    for number, (text, condition) in enumerate(CONDITIONS):
        count = 3 if "c" in text else 2
        for way, waiting in itertools.product(range(3), (1, 2)):
            if kind == "volatile" and (way != 0 or level == "-O0"):
                continue
            result = bench.explore(options, program, [NAMES[0] if number == 0 else chr(ord("a") + number), way, waiting, count])
            copied = 0 if level == "-O0" else reads_in_code(code, ("waits", "yields", "calls")[way], number) - mentions(text)
            least = ways(condition, waiting, count, copied >= mentions(text))  # a part that was copied counts in part
            most = ways(condition, waiting, count, copied > 0)
            if not least <= result["classes"] <= most or result["claim"]["kind"] != "all-classes":
                fail(f"while ({text}), {kind}, {compiler} {level}", way=("plain", "with a yield", "in a function")[way],
                     waiting=waiting, expected=f"{least} to {most} classes", actual=f"{result['classes']} classes",
                     claim=result["claim"]["text"], findings=findings_of(result))
            done += 1
    return done


# What only the second or third iteration shows: a loop, and what must hold after it; some order breaks that.
SEEN = {
    "a count of iterations": ("int n = 0; while (!a) n++;", "n != 2"),
    "a count that stops": ("int n = 0; while (!a) if (n < 2) n++;", "n != 2"),
    "every second iteration": ("int odd = 0; while (!a) odd = !odd;", "!odd"),
    "a value from an iteration before": ("int last = 0; while (!b) last = a;", "last == 0"),
    "the sum of what was read": ("int sum = 0; while (!b) if (sum < 2) sum += a;", "sum != 2"),
    "a bounded loop": ("int n = 0; while (!a && n < 3) n++;", "n < 3"),
    "a bounded loop that tests first": ("int n = 0; while (n++ < 3 && !a) ;", "n < 4"),
    "a variable behind a pointer": ("int n = 0; while (!a) raise(&n);", "n != 2"),
    "a variable behind a pointer that is kept": ("int n = 0, *at = &n; hide(&at); while (!a) if (*at < 2) ++*at;", "n != 2"),
    "an array": ("int n[3] = {0, 0, 0}, i = 0; while (!a) { n[i] = 1; if (i < 2) i++; }", "n[1] == 0"),
    "a value kept by the caller": ("int before = a; int same = 1; wait_for_b(); same = before == 0;", "same"),
    "a value of each call": ("int n = 0; while (!a) n = next(n);", "n != 2"),
}
SEEN_SOURCE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a, b;
static __attribute__((noinline)) void raise(int *n) { if (*n < 2) ++*n; }
static __attribute__((noinline)) int next(int n) { return n < 2 ? n + 1 : n; }
static __attribute__((noinline)) void hide(int **at) { __asm__ volatile("" : : "r"(at) : "memory"); }
static __attribute__((noinline)) void wait_for_b(void) { while (a + b < 2) ; }
static void *writes(void *unused) { a = 1; b = 1; return unused; }
%s
static void (*tests[])(void) = {%s};
int main(int count, char **arguments)
{
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    tests[arguments[1][0] - 'a']();
    pthread_join(thread, 0);
    return 0;
}
"""


def check_seen(bench, compiler, level):
    tests = "\n".join(f"static void test{number}(void) {{ {loop} assert({holds}); }}" for number, (loop, holds) in enumerate(SEEN.values()))
    path = bench.write("seen.c", SEEN_SOURCE % (tests, ", ".join(f"test{number}" for number in range(len(SEEN)))))
    program = bench.folder / "seen"
    bench.must(["env", f"BOHR_CC={compiler}", bench.bohr, "cc", "-g", level, "-w", "-o", program, path, "-pthread"])
    for number, name in enumerate(SEEN):
        for strategy in (["dpor"], ["dfs", "--steps", "200"]):
            result = bench.explore(["-s", *strategy, "--no-shrink"], program, [chr(ord("a") + number)])
            if [finding["kind"] for finding in result["findings"]] != ["assertion"]:
                fail(name, strategy=strategy[0], build=f"{compiler} {level}", expected="the assertion fails in some order",
                     actual=findings_of(result), claim=result["claim"]["text"])


def check(bench):
    done = 0
    for compiler, level in BUILDS:
        for kind in SOURCES:
            done += check_counts(bench, kind, compiler, level)
        check_seen(bench, compiler, level)
    print(f"ok   {done} searches have one class for each way in which loops can end; {len(SEEN)} loops that keep a value are told apart")


if __name__ == "__main__":
    bench_run(check)
