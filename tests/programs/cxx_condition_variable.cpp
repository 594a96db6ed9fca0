// std::condition_variable. The waiter's lock first: it waits and is signalled, 1 order. Main's lock
// first: the waiter's lock and unlock in any order with main's signal, 3 orders. Together 4.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 4
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <cassert>

static std::mutex mutex;
static std::condition_variable one;
static bool ready;

int main()
{
    std::thread waiter([] {
        std::unique_lock lock(mutex);
        one.wait(lock, [] { return ready; });
    });
    {
        std::lock_guard guard(mutex);
        ready = true;
    }
    one.notify_one();
    waiter.join();
    return 0;
}
