#!/usr/bin/env python3
"""Three ways in lead to the same executions: bohr cc, plain gcc -fsanitize=thread, and a program
without instrumentation; so do gcc and clang. What cannot be run says how to build it again."""
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from engine import COUNTS, bench_run, fail, run, sentence_of, shown  # noqa: E402

LOCKS = """
#include <pthread.h>
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused)
{
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    if (pthread_mutex_trylock(&inner) == 0)
        pthread_mutex_unlock(&inner);
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
RACY = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turns, wide_turns[2];
static int plain;
static struct { long a, b; } pair;
static void *work(void *argument)
{
    long me = (long)argument;
    atomic_fetch_add(&turns, 1);
    plain = plain + 1;
    int expected = 1;
    atomic_compare_exchange_strong(&turns, &expected, 5);
    pair.a = me;
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&wide_turns[me], atomic_load_explicit(&turns, memory_order_acquire),
                          memory_order_release);
    return NULL;
}
int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return (int)pair.a > 1 || wide_turns[0] > 99 || wide_turns[1] > 99;
}
"""
SYMBOLS = """
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
struct large { int words[40]; };
struct odd { char bytes[3]; };
static struct large large_from, large_to;
static struct odd odd_from, odd_to;
static struct __attribute__((packed)) { char c; short s; int i; long l; __int128 q; } packed;
struct pair { int a, b; };
static _Atomic struct pair pair;
static _Atomic double real;
static char c8; static short s16; static int i32; static long l64; static __int128 q128;
static volatile int seen;
static char text[128];

#define EVERY(type, at) do { \\
        type old = __atomic_load_n(at, __ATOMIC_ACQUIRE), next = 7; \\
        __atomic_store_n(at, 3, __ATOMIC_RELEASE); \\
        if (__atomic_exchange_n(at, 5, __ATOMIC_SEQ_CST) != 3) return 1; \\
        if (__atomic_fetch_add(at, 2, __ATOMIC_RELAXED) != 5) return 2; \\
        if (__atomic_fetch_sub(at, 1, __ATOMIC_SEQ_CST) != 7) return 3; \\
        if (__atomic_fetch_and(at, 3, __ATOMIC_SEQ_CST) != 6) return 4; \\
        if (__atomic_fetch_or(at, 4, __ATOMIC_SEQ_CST) != 2) return 5; \\
        if (__atomic_fetch_xor(at, 1, __ATOMIC_SEQ_CST) != 6) return 6; \\
        if (__atomic_fetch_nand(at, 3, __ATOMIC_SEQ_CST) != 7) return 7; \\
        if (__atomic_load_n(at, __ATOMIC_SEQ_CST) != (type)~3) return 8; \\
        if (__atomic_add_fetch(at, 1, __ATOMIC_SEQ_CST) != (type)-3) return 9; \\
        if (__atomic_nand_fetch(at, 3, __ATOMIC_SEQ_CST) != (type)~1) return 10; \\
        if (__atomic_compare_exchange_n(at, &next, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) \\
            return 11; \\
        if (next != (type)~1) return 12; \\
        if (!__atomic_compare_exchange_n(at, &next, old, 1, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) \\
            return 13; \\
        if (__atomic_load_n(at, __ATOMIC_RELAXED) != old) return 14; \\
    } while (0)

static int atomics(void)
{
    EVERY(char, &c8);
    EVERY(short, &s16);
    EVERY(int, &i32);
    EVERY(long, &l64);
    EVERY(__int128, &q128);
    if (__sync_fetch_and_add(&i32, 1) != 0 || __sync_val_compare_and_swap(&i32, 1, 2) != 1 ||
        __sync_lock_test_and_set(&i32, 1) != 2 || !__sync_bool_compare_and_swap(&l64, 0, 0) ||
        __sync_val_compare_and_swap(&q128, 0, 9) != 0 || __sync_sub_and_fetch(&q128, 9) != 0)
        return 20;
    __sync_lock_release(&i32);
    __sync_synchronize();
    atomic_thread_fence(memory_order_acq_rel);
    atomic_signal_fence(memory_order_seq_cst);
    real = real + 1.5;
    struct pair both = pair;
    both.b++;
    pair = both;
    static atomic_flag flag = ATOMIC_FLAG_INIT;
    int was = atomic_flag_test_and_set(&flag);
    atomic_flag_clear(&flag);
    return was || real != 1.5;
}

static int memory(int count)
{
    large_to = large_from;
    odd_to = odd_from;
    packed.c++, packed.s++, packed.i++, packed.l++, packed.q++;
    seen = seen + 1;
    memset(text, 'x', (size_t)count);
    memcpy(text + 32, text, (size_t)count);
    memmove(text + 1, text, (size_t)count);
    memcpy(text + 64, text, 16);
    return text[64] != 'x' || packed.q != 1;
}

static void *work(void *unused)
{
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int failed = atomics();
    if (failed == 0)
        failed = memory(argc + 15);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return failed;
}
"""
SYMBOLS_CPP = """
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
static std::mutex mutex;
static std::condition_variable ready;
static bool is_ready;
static std::atomic<int> number;
static std::atomic<bool> flag;
static std::atomic<__int128> wide;
struct base { virtual ~base() {} virtual int value() { return 1; } int x = 0; };
struct derived : base { int value() override { return 2; } double y = 0; };
static base *object;
static int length()
{
    static std::string text("four");
    return static_cast<int>(text.size());
}
int main()
{
    std::thread thread([] {
        std::unique_lock<std::mutex> lock(mutex);
        while (!is_ready)
            ready.wait(lock);
        int expected = 0;
        number.compare_exchange_weak(expected, 4);
        number.fetch_xor(1);
        flag = true;
        wide.store(wide.load() + 1);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    });
    {
        std::lock_guard<std::mutex> lock(mutex);
        is_ready = true;
    }
    ready.notify_one();
    thread.join();
    object = new derived;
    int value = object->value();
    delete object;
    try {
        throw 3;
    } catch (int thrown) {
        value += thrown;
    }
    std::map<int, std::string> names;
    names[3] = "three";
    std::vector<int> numbers(10);
    numbers[3] = number.load();
    return value == 5 && numbers[3] == 5 && length() == 4 && wide.load() == 1 && flag ? 0 : 1;
}
"""
DFS = ["-s", "dfs"]


def same_three_ways(bench):
    ways = {
        "bohr cc": bench.build("locks-bohr", LOCKS),
        "bohr cc with clang": bench.build("locks-clang", LOCKS,
                                          compiler=["env", "BOHR_CC=clang", bench.bohr, "cc"]),
        "gcc -fsanitize=thread": bench.build("locks-tsan", LOCKS, ["-fsanitize=thread"], ["gcc"]),
        "gcc": bench.build("locks-plain", LOCKS, compiler=["gcc"]),
        "clang": bench.build("locks-plain-clang", LOCKS, compiler=["clang"]),
        "gcc -no-pie": bench.build("locks-no-pie", LOCKS, ["-no-pie"], ["gcc"]),
    }
    first = None
    for way, program in ways.items():
        result = bench.explore(DFS, program, status=0)
        first = first or result
        bench.compare(f"{way} explores otherwise than bohr cc", first, result, program=program)
        seen = "instrument" in result["claim"]["text"]
        if seen != (way in ("gcc", "clang", "gcc -no-pie")):
            fail(f"{way}: the claim",
                 expected="to name missing instrumentation where it is missing",
                 actual=result["claim"]["text"])
    print(f"ok   {len(ways)} ways in: {first['executions']} executions each")


def same_compilers(bench):
    built = {}
    for compiler in ("gcc", "clang"):
        for level in ("-O0", "-O1", "-O2"):
            program = bench.build(f"racy-{compiler}{level}", RACY, [level],
                                  ["env", f"BOHR_CC={compiler}", bench.bohr, "cc"])
            built[f"{compiler} {level}"] = bench.explore(DFS + ["-k"], program, status=1)
    for level in ("-O0", "-O1", "-O2"):
        wanted, got = built[f"gcc {level}"], built[f"clang {level}"]
        bench.compare(f"gcc and clang differ at {level}", wanted, got, COUNTS)
        print(f"ok   gcc and clang at {level}: {got['executions']} executions, {got['classes']} "
              f"classes, {len(got['findings'])} findings")


def every_symbol(bench):
    for compiler, plus in (("gcc", "g++"), ("clang", "clang++")):
        environment = ["env", f"BOHR_CC={compiler}", f"BOHR_CXX={plus}", bench.bohr]
        for name, source, word in (("symbols", SYMBOLS, "cc"), ("symbols-cpp", SYMBOLS_CPP, "c++")):
            for level in ("-O0", "-O2"):
                program = bench.build(f"{name}-{compiler}{level}", source, [level, "-mcx16"],
                                      [*environment, word])
                bench.must([program])
                result = bench.explore(["-s", "preempt", "-b", "1", "--expect-exit", "0"], program,
                                       status=0)
                if result["executions"] < 1 or result["findings"]:
                    fail(f"{name}, {compiler} {level}", expected="executions without a finding",
                         actual=f"{result['executions']} executions, {result['findings']}")
        print(f"ok   every __tsan_ function that {compiler} calls, in C and C++")


def static_libtsan(bench):
    program = bench.build("clang-tsan", LOCKS, ["-fsanitize=thread"], ["clang"])
    command, report = bench.command(DFS, program)
    done = run(command)
    said = sentence_of(done.errors)
    if done.status != 2 or "rebuild with bohr cc" not in said or "\n" in said or report.exists():
        fail("libtsan linked statically", command=shown(command),
             expected="exit status 2, one sentence with `rebuild with bohr cc`, no files",
             actual=f"exit status {done.status}: {done.text()}")
    print("ok   libtsan linked statically: rebuild with bohr cc")


def build_systems(bench):
    stranger = pathlib.Path(__file__).resolve().parent.parent / "install" / "stranger"
    tools = bench.bohr.parent
    environment = dict(os.environ, CC=str(tools / "bohr-cc"), CXX=str(tools / "bohr-c++"))
    by_configure = shutil.copytree(stranger, bench.folder / "configure")
    bench.must(["./configure"], cwd=by_configure, env=environment)
    bench.must(["make"], cwd=by_configure, env=environment)
    by_cmake = shutil.copytree(stranger, bench.folder / "cmake")
    bench.must(["cmake", "-S", ".", "-B", "."], cwd=by_cmake, env=environment)
    bench.must(["cmake", "--build", "."], cwd=by_cmake, env=environment)
    for folder in (by_configure, by_cmake):
        for name in ("mailbox_test", "mailbox_test_cpp"):
            alone = run([folder / name])
            if alone.status not in (0, -6):  # its bug may show by chance
                fail(f"{name} without bohr", expected="exit status 0, or the assertion",
                     actual=alone.status, output=alone.text())
            result = bench.explore(DFS, folder / name, status=1)
            if result["findings"][0]["kind"] != "assertion":
                fail(f"{folder.name}: {name}", expected="an assertion", actual=result["findings"])
    print("ok   configure and cmake: build, run alone, run under bohr")


FLAGS = """
#include <assert.h>
#if defined SECOND && !defined __OPTIMIZE__ && LANGUAGE
int main(void)
{
    assert(SECOND == 2);
    return 0;
}
#else
#error without its flags
#endif
"""


def flags_from_environment(bench):
    for name, variable, language in (
            ("flags.c", "CFLAGS", "__STDC_VERSION__==199901"), ("flags.cpp", "CXXFLAGS", "__cplusplus==201402")):
        source = bench.write(name, FLAGS)
        standard = "-std=c99" if variable == "CFLAGS" else "-std=c++14"
        command = [bench.bohr, "run", "-o", bench.folder / "flags-out", source]
        without = {key: value for key, value in os.environ.items() if key not in ("CFLAGS", "CXXFLAGS")}
        flags = f"  -O0\t{standard} -DLANGUAGE={language}  -DSECOND="
        for value, status in (("2", 0), ("3", 1)):
            done = run(command, env={**without, variable: flags + value})
            if done.status != status:
                fail(f"{variable} for {name}", command=shown(command), expected=f"exit status {status}",
                     actual=f"exit status {done.status}: {done.text()}")
        other = "CXXFLAGS" if variable == "CFLAGS" else "CFLAGS"
        done = run(command, env={**without, other: flags + "2"})
        said = done.errors.strip().splitlines()[-1]
        if done.status != 2 or f"flags can be given in {variable})" not in said or name not in said:
            fail(f"{name} without its flags", command=shown(command),
                 expected=f"exit status 2, and a hint at {variable}",
                 actual=f"exit status {done.status}: {done.text()}")
    print("ok   a source file is built with CFLAGS or CXXFLAGS")


def check(bench):
    flags_from_environment(bench)
    same_three_ways(bench)
    same_compilers(bench)
    every_symbol(bench)
    static_libtsan(bench)
    build_systems(bench)


bench_run(check)
