// std::condition_variable_any has a mutex of its own, that notify takes. Main's lock first: the
// waiter's lock and unlock in any order with notify's lock, broadcast, unlock: C(5,2) = 10. The waiter's
// first: it takes the inner mutex before it gives the outer one away; its wait comes before, between or
// after main's lock and unlock, and all else follows: 3. Together 13.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 13
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

static std::recursive_mutex mutex;
static std::condition_variable_any any;
static bool ready;

int main()
{
    {
        std::thread waiter([] {
            std::unique_lock lock(mutex);
            any.wait(lock, [] { return ready; });
            assert(ready);
        });
        {
            std::lock_guard guard(mutex);
            ready = true;
        }
        any.notify_all();
        waiter.join();
    }
    return 0;
}
