// An execution runs one of the tests and ends: 5 executions of the first (two threads of one operation
// each, see api_atomic.c), 2 outcomes of the second; never both in one execution, nothing after.
// modes: all
// build: gcc -O1 -std=c++11
// build: clang -O1 -std=c++20
// run: -s dfs --expect-exit 0
// expect: no finding
// expect: executions 7
// run: -s dfs -k -- fail
// expect: finding assertion
// expect: executions 7
// expect: buggy 1
#include <bohr.h>
#include <atomic>
#include <thread>

static std::atomic<int> counter;
static int runs;
static bool fails;

static void threads()
{
    bohr_assert(++runs == 1);
    std::thread first([] { counter++; });
    std::thread second([] { counter++; });
    first.join();
    second.join();
}

static void choices()
{
    bohr_assert(++runs == 1);
    unsigned outcome = bohr_choose(2);
    bohr_assert(!(fails && outcome == 1));
}

int main(int argc, char **)
{
    fails = argc > 1;
    bohr_assert(bohr_running() == 1);
    bohr_test(threads, choices);
    return 1;
}
