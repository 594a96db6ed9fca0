// std::atomic<std::shared_ptr>: its lock bit is a spin lock, whose loop is an await, so the search
// ends. In this libstdc++ load() gives the lock back with a relaxed store, so a store that follows does
// race with its read of the pointer: that is what the C++ standard says, and what is reported.
// Without a preemption main loads and joins before the other stores: one execution. With one, the other is let in
// before one of the five steps of the load (it looks, locks, reads the pointer, which is a step since it races, counts
// up, unlocks), and goes to its end, or has to wait for the lock: five.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs -k
// expect: finding race
// expect: complete == true
// run: -s dfs --races off
// expect: no finding
// expect: complete == true
// run: -s preempt -b 1 --races off
// expect: no finding
// expect: per_bound[0].executions == 1
// expect: per_bound[1].executions == 5
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> shared;

int main()
{
    shared.store(std::make_shared<int>(1));
    std::thread other([] { shared.store(std::make_shared<int>(2)); });
    std::shared_ptr<int> seen = shared.load();
    assert(*seen == 1 || *seen == 2);
    other.join();
    assert(*shared.load() == 2);
    return 0;
}
