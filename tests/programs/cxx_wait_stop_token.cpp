// A wait of std::condition_variable_any that a stop token ends: no wake-up is lost. Without a preemption main asks to
// stop and joins, before the waiter begins: one execution. With one, the waiter is let in before one of the three
// steps of asking (those of cxx_jthread.cpp) and runs until it waits or ends: three.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s preempt -b 1
// expect: no finding
// expect: complete == true
// expect: per_bound[0].executions == 1
// expect: per_bound[1].executions == 3
// run: -s random -n 500
// expect: no finding
// expect: cut == 0
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::mutex mutex;
static std::condition_variable_any any;

int main()
{
    std::jthread waiter([](std::stop_token token) {
        std::unique_lock lock(mutex);
        bool result = any.wait(lock, token, [] { return false; });
        assert(!result && token.stop_requested());
    });
    return 0;
}
