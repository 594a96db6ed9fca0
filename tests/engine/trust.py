#!/usr/bin/env python3
"""--trust: functions by their C++ names, libraries by the beginning of theirs, loaded at the start or
later; and what is said of names that nothing has. Findings in trusted code are replayed with it."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import bench_run, fail, run, sentence_of  # noqa: E402

LIBRARY = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int lines;
int quiet_line(void)
{
    pthread_mutex_lock(&mutex);
    int line = ++lines;
    pthread_mutex_unlock(&mutex);
    return line;
}
"""
PROGRAM = """
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int counter;
#ifdef LATE
static int (*quiet_line)(void);
#else
int quiet_line(void);
#endif
static void *work(void *unused)
{
    int seen = atomic_load(&counter);
    quiet_line();
    atomic_store(&counter, seen + 1);
    return unused;
}
int main(void)
{
#ifdef LATE
    quiet_line = (int (*)(void))dlsym(dlopen(LATE, RTLD_NOW), "quiet_line");
#endif
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(ASSERTED == 0 || counter == 2);
    return 0;
}
"""
METHODS = """
#include <mutex>
#include <thread>
namespace { std::mutex mutex; int lines; }
struct Log {
    template <typename T> __attribute__((noinline)) static void write(T more)
    {
        std::lock_guard<std::mutex> guard(mutex);
        lines += more;
    }
    __attribute__((noinline)) static void write_twice(int more)
    {
        for (int i = 0; i < 2; i++) {
            std::lock_guard<std::mutex> guard(mutex);
            lines += more;
        }
    }
};
int main()
{
    std::thread other([] { Log::write(1); Log::write_twice(1); });
    Log::write(2L);
    Log::write_twice(1);
    other.join();
    return lines != 7;
}
"""


def executions(bench, program, *options, status=0):
    result = bench.explore(["-s", "dfs", "-k", *options], program, status=status)
    if not result["complete"]:
        fail("the search ends by itself", options=options, actual=result["claim"]["text"])
    bench.replay_all("trust", result)
    return result["executions"]


def check_libraries(bench):
    library = bench.folder / "libquiet.so.3"
    source = bench.write("quiet.c", LIBRARY)
    bench.must([bench.bohr, "cc", "-g", "-O1", "-fPIC", "-shared", "-o", library, source])
    flags = [library, f"-Wl,-rpath,{bench.folder}"]
    early = bench.build("early", PROGRAM, ["-DASSERTED=0", *flags])
    late = bench.build("late", PROGRAM, ["-DASSERTED=0", f'-DLATE="{library}"'])
    wrong = bench.build("wrong", PROGRAM, ["-DASSERTED=1", *flags])
    # a load and a store for each thread: (c2 l l' s s' j j') as two threads of two operations each
    bare = bench.build("bare", PROGRAM.replace("quiet_line();", ""), ["-DASSERTED=0", *flags])
    wanted = executions(bench, bare)
    for name, program in (("libquiet", early), ("libquiet.so", late)):
        got = executions(bench, program, "--trust", name)
        if got != wanted:
            fail(f"--trust {name}", expected=f"{wanted} executions, as without its calls", actual=got)
        print(f"ok   --trust {name}: {got} executions")
    if executions(bench, early) <= wanted:
        fail("without --trust", expected=f"more than {wanted} executions")
    executions(bench, wrong, "--trust", "libquiet", "--points", "all", status=1)
    print("ok   what is found beside trusted code is replayed")


def check_methods(bench):
    program = bench.build("methods", METHODS)
    none, once, both = (executions(bench, program, *options) for options in
                        ([], ["--trust", "Log::write"], ["--trust", "Log::write,Log::write_twice"]))
    if not none > once > both == 1:
        fail("C++ names", expected="each name makes the search smaller, both leave one execution",
             actual=(none, once, both))
    if executions(bench, program, "--trust", "Log::write", "--trust", "Log::write_twice") != both:
        fail("--trust twice", expected="the same as both names in one")
    print(f"ok   C++ names: {none}, {once}, {both} executions")


def check_errors(bench):
    program = bench.build("early-again", METHODS)
    for value, part in (("no_such", "--trust no_such: the program has no such function"),
                        ("", "--trust takes names"), ("a,,b", "--trust takes names"),
                        ("x" * 1100, "too long")):
        done = run([bench.bohr, "run", "--no-progress", "--trust", value, program])
        sentence = sentence_of(done.errors)
        if done.status != 2 or part not in sentence or sentence.count("\n") > 0:
            fail("a name that nothing has", value=value, expected=f"status 2: {part}",
                 actual=(done.status, sentence))
        print(f"ok   {sentence[:90]}")


def check(bench):
    check_libraries(bench)
    check_methods(bench)
    check_errors(bench)


bench_run(check)
