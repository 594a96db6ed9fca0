// std::barrier of two threads with a completion function, which runs once, before anybody leaves.
// Waiters look some dozen times each, so the search is bounded. Without a preemption main arrives and looks
// until it gives way; then the other arrives, which completes the phase, and runs to its end: one execution.
// With one: main has 18 steps until it has given way (it looks and arrives, enters the pool, looks there, tests 13 times,
// yields), and the other may be let in before each; after the yield the other has 13 steps to its end (it looks, fails
// to be the first, arrives, looks, stores the phase twice, counts itself out of the pool's way and wakes, enters the
// pool, looks, tests, leaves), and main may be let in again before each but the first: 18 + 12 = 30.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s preempt -b 1
// expect: no finding
// expect: complete == true
// expect: per_bound[0].executions == 1
// expect: per_bound[1].executions == 30
// run: -s random -n 500
// expect: no finding
// expect: cut == 0
#include <barrier>
#include <cassert>
#include <thread>

static int phase;
static int seen[2];

int main()
{
    std::barrier sync(2, []() noexcept { phase++; });
    std::thread other([&] {
        sync.arrive_and_wait();
        seen[0] = phase;
    });
    sync.arrive_and_wait();
    seen[1] = phase;
    other.join();
    assert(phase == 1 && seen[0] == 1 && seen[1] == 1);
    return 0;
}
