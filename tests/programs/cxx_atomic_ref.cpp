// std::atomic_ref: one update, and one made of load and compare-exchange, in each of two threads. A
// compare-exchange that fails is tried again, with the other thread already done: C(6,3) = 20 executions.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 20
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
    int plain = 0;
    double real = 0;
    auto work = [&] {
        std::atomic_ref(plain).fetch_add(1);
        std::atomic_ref(real).fetch_add(0.5);
    };
    std::thread other(work);
    work();
    other.join();
    assert(plain == 2 && real == 1);
    return 0;
}
