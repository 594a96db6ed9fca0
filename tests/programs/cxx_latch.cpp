// std::latch of two threads. The thread that arrives first tests 13 times at most, then yields, and the other
// one must go on: so the search ends soon. tests/support/count_latch.py counts the executions from the
// text of the library.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1374
// run: -s preempt -b 2
// expect: no finding
// expect: complete == true
// run: -s random -n 300
// expect: no finding
// expect: cut == 0
#include <cassert>
#include <latch>
#include <thread>

static std::latch start(2);
static int a, b;

int main()
{
    std::thread other([] {
        a = 1;
        start.arrive_and_wait();
        assert(b == 1);
    });
    b = 1;
    start.arrive_and_wait();
    assert(a == 1);
    other.join();
    return 0;
}
