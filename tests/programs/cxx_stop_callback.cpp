// std::stop_callback: it is called once, by the thread that asks. tests/support/count_stop_callback.py counts the executions
// from the text of the library. Without optimisation the first turn of the worker's loop finds other bytes on its stack
// than the second one, so that it waits a turn later: there would be more.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 14354
// run: -s dpor
// expect: no finding
// expect: complete == true
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
    bool called = false;
    std::jthread worker([](std::stop_token token) {
        while (!token.stop_requested())
            std::this_thread::yield();
    });
    std::stop_callback callback(worker.get_stop_token(), [&] { called = true; });
    assert(worker.request_stop());
    assert(called && !worker.request_stop());
    return 0;
}
