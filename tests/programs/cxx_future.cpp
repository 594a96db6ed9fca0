// std::promise, async, packaged_task, and futures.
// promise: the setter enters a once (o), leaves it (d), sets the status (x), and wakes (f) if the waiter's
// bit is set; main loads (l), sets its bit (u), waits (w), loads again and lets go of the state.
// l after x: 1. l before x, u after: 3. u before x, w after: C(4,2) = 6, and f in any of 4 places: 24.
// w before x: C(5,3) = 10. Together 38.
// async: three steps of the thread in any order with four of main before it joins: C(7,3) = 35.
// task: joined at once: 1. wait_for may also time out, which counts as a yield: 119, as tests/support/count_timed.py
// counts them. Both outcomes come: what says that one never does is wrong.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs -- promise
// expect: no finding
// expect: complete == true
// expect: executions 38
// run: -s dfs -- async
// expect: no finding
// expect: complete == true
// expect: executions 35
// run: -s dfs -- task
// expect: no finding
// expect: complete == true
// expect: executions 1
// run: -s dfs -- wait_for
// expect: no finding
// expect: complete == true
// expect: executions 119
// run: -s dfs -- wait_for ready
// expect: finding assertion
// run: -s dfs -- wait_for timeout
// expect: finding assertion
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

static int run(const char *what, const std::string &without)
{
    switch (what[0]) {
    case 'p': {
        std::promise<int> promise;
        std::future<int> future = promise.get_future();
        std::thread setter([&] { promise.set_value(7); });
        assert(future.get() == 7);
        setter.join();
        return 0;
    }
    case 'a': {
        std::future<int> future = std::async(std::launch::async, [] { return 8; });
        assert(future.get() == 8);
        return 0;
    }
    case 't': {
        std::packaged_task<int(int)> task([](int n) -> int { throw std::runtime_error("no"); });
        std::shared_future<int> future = task.get_future().share();
        std::thread runner(std::move(task), 3);
        runner.join();
        try {
            future.get();
            assert(false);
        } catch (const std::runtime_error &) {
        }
        return 0;
    }
    default: {
        std::promise<int> promise;
        std::future<int> future = promise.get_future();
        std::thread setter([&] { promise.set_value(7); });
        auto since = std::chrono::steady_clock::now();
        std::future_status status = future.wait_for(std::chrono::seconds(10));
        auto passed = std::chrono::steady_clock::now() - since;
        bool late = status == std::future_status::timeout;
        setter.join();
        assert((!late || passed >= std::chrono::seconds(10)) && future.get() == 7);
        assert(late || status == std::future_status::ready);
        assert(without != (late ? "timeout" : "ready"));
        return 0;
    }
    }
}

int main(int argc, char **argv)
{
    return run(argc > 1 ? argv[1] : "promise", argc > 2 ? argv[2] : "");
}
