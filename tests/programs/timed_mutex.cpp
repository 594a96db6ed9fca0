// std::timed_mutex and std::recursive_timed_mutex: a thread that holds it for ever lets the other's
// try time out, an hour of virtual time later.
// build: gcc -O1 -std=c++20
// build: clang -O1 -std=c++20
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s preempt -b 2
// expect: no finding
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex mutex;
static std::recursive_timed_mutex deep;
static int total;

static void work()
{
    assert(!deep.try_lock_for(std::chrono::hours(1)));
    assert(!deep.try_lock());
    if (mutex.try_lock_for(std::chrono::hours(1))) {
        total++;
        mutex.unlock();
    }
    std::unique_lock<std::timed_mutex> lock(
        mutex, std::chrono::system_clock::now() + std::chrono::hours(1));
    if (lock.owns_lock())
        total++;
}

int main()
{
    deep.lock();
    assert(deep.try_lock_for(std::chrono::seconds(1)));
    std::thread thread(work);
    mutex.lock();
    total++;
    mutex.unlock();
    thread.join();
    assert(total >= 1 && total <= 3);
    deep.unlock();
    deep.unlock();
    return 0;
}
