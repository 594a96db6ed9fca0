// std::timed_mutex and std::recursive_timed_mutex: a thread that holds it forever lets the other's
// try time out, an hour of virtual time later.
// The thread fails twice at the recursive one (a, b), then tries the other (s, and g if it got it) and does so again (t,
// h); main locks (L) and unlocks (U), not while the thread has it. No try between L and U: L before a, b, s: 3 + 2
// + 1; L before t or after h: 1 each; 8. s between, t not: L before a, b or s: 3. Both between: 3. Only t: L just before it: 1.
// build: gcc -O1 -std=c++20
// build: clang -O1 -std=c++20
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 15
// run: -s preempt -b 2
// expect: no finding
// Each outcome comes: what says that it never does is wrong.
// run: -s dfs -- 1
// expect: finding assertion
// run: -s dfs -- 2
// expect: finding assertion
// run: -s dfs -- 3
// expect: finding assertion
#include <cassert>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

using std::chrono::hours;
using std::chrono::steady_clock;

static std::timed_mutex mutex;
static std::recursive_timed_mutex deep;
static int total;

static void count_if(bool got, steady_clock::time_point since)
{
    if (got)
        total++;
    else
        assert(steady_clock::now() - since >= hours(1));
}

static void work()
{
    auto since = steady_clock::now();
    assert(!deep.try_lock_for(hours(1)) && steady_clock::now() - since >= hours(1));
    assert(!deep.try_lock());
    since = steady_clock::now();
    bool got = mutex.try_lock_for(hours(1));
    count_if(got, since);
    if (got)
        mutex.unlock();
    since = steady_clock::now();
    std::unique_lock<std::timed_mutex> lock(mutex, std::chrono::system_clock::now() + hours(1));
    count_if(lock.owns_lock(), since);
}

int main(int argc, char **argv)
{
    deep.lock();
    assert(deep.try_lock_for(std::chrono::seconds(1)));
    std::thread thread(work);
    mutex.lock();
    total++;
    mutex.unlock();
    thread.join();
    assert(total >= 1 && total <= 3 && total != (argc > 1 ? std::atoi(argv[1]) : 0));
    deep.unlock();
    deep.unlock();
    return 0;
}
