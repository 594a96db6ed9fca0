// std::barrier of two threads with a completion function, which runs once, before anybody leaves.
// Its waiters look some dozen times each, so the search is bounded. Without a preemption main arrives and looks
// until it gives way; then the other arrives, which completes the phase, and runs to its end: one execution.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s preempt -b 1
// expect: no finding
// expect: complete == true
// expect: per_bound[0].executions == 1
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
