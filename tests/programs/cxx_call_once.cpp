// std::call_once: the first thread that enters runs the function, the other one waits. 2 executions.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 2
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int calls, value;

static void use()
{
    std::call_once(flag, [] { calls++; value = 7; });
    assert(value == 7);
}

int main()
{
    std::thread other(use);
    use();
    other.join();
    assert(calls == 1);
    return 0;
}
