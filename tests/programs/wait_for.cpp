// std::condition_variable::wait_for and wait_until: told or timed out, by either clock; hours of
// virtual time.
// build: gcc -O1 -std=c++20
// build: clang -O1 -std=c++20
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s random -n 100
// expect: no finding
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;

static void wait_a_while()
{
    std::unique_lock<std::mutex> lock(mutex);
    bool told = changed.wait_for(lock, std::chrono::hours(1), [] { return ready; });
    assert(told == ready);
}

static void wait_till_then()
{
    std::unique_lock<std::mutex> lock(mutex);
    auto then = std::chrono::system_clock::now() + std::chrono::hours(1);
    while (!ready)
        if (changed.wait_until(lock, then) == std::cv_status::timeout)
            break;
}

int main()
{
    std::thread first(wait_a_while), second(wait_till_then);
    {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
    }
    changed.notify_all();
    first.join();
    second.join();
    return 0;
}
