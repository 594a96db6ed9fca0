// std::counting_semaphore and binary_semaphore. The taker looks once, then tries up to 16 times
// (load, compare-exchange), from the 13th on with a yield after it; main adds (u) and wakes (w). u before
// the first look: three steps left, w in 4 places. u after the look and k = 0..12 tries: 3 each, 39. u
// between the 13th try and its yield: 2, as main must step then. u after that yield: 3. Together 48.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 48
// run: -s preempt -b 2
// expect: no finding
// expect: complete == true
// run: -s random -n 300
// expect: no finding
// expect: cut == 0
// Where nobody releases, the taker waits forever.
// run: -s preempt -b 0 -- never
// expect: finding deadlock
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> items(0);
static std::binary_semaphore lock(1);
static int taken;

static void take()
{
    items.acquire();
    taken++;
}

int main(int argc, char **)
{
    assert(!items.try_acquire());
    std::thread taker(take);
    if (argc == 1)
        items.release();
    taker.join();
    assert(taken == 1);
    lock.acquire();
    lock.release();
    return 0;
}
