// std::condition_variable::wait_for and wait_until: told or timed out, by either clock; hours of
// virtual time. Two waiters, whose waits end by a timeout in one step or two or by main's notify_all, if they wait at
// all: 1104 executions, as tests/support/count_timed.py counts them.
// build: gcc -O1 -std=c++20
// build: clang -O1 -std=c++20
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1104
// run: -s random -n 100
// expect: no finding
// Each outcome comes, for either waiter: what says that it never does is wrong.
// run: -s dfs -- 0 told
// expect: finding assertion
// run: -s dfs -- 0 late
// expect: finding assertion
// run: -s dfs -- 1 told
// expect: finding assertion
// run: -s dfs -- 1 late
// expect: finding assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

using std::chrono::hours;
using std::chrono::steady_clock;

static std::mutex mutex;
static std::condition_variable changed;
static bool ready;
static std::string outcomes[2];

static void note(int who, bool waited, bool told, steady_clock::time_point since)
{
    if (waited)
        outcomes[who] = told ? "told" : "late";
    if (waited && !told)
        assert(steady_clock::now() - since >= hours(1));
}

static void wait_a_while()
{
    std::unique_lock<std::mutex> lock(mutex);
    auto since = steady_clock::now();
    bool waits = !ready;
    bool told = changed.wait_for(lock, hours(1), [] { return ready; });
    assert(told == ready);
    note(0, waits, told, since);
}

static void wait_till_then()
{
    std::unique_lock<std::mutex> lock(mutex);
    auto since = steady_clock::now();
    auto then = std::chrono::system_clock::now() + hours(1);
    bool waits = !ready, told = true;
    while (!ready && told)
        told = changed.wait_until(lock, then) == std::cv_status::no_timeout;
    assert(!waits || !told || ready);
    note(1, waits, told, since);
}

int main(int argc, char **argv)
{
    std::thread first(wait_a_while), second(wait_till_then);
    {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
    }
    changed.notify_all();
    first.join();
    second.join();
    assert(argc < 3 || outcomes[argv[1][0] - '0'] != argv[2]);
    return 0;
}
