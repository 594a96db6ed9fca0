// std::jthread and stop_token. Its destructor asks the thread to stop (load L, compare-exchange C,
// update U) and joins; the thread looks (r) until it is asked, then gives its token back (d). Looked
// first before C (two places): r again and d in any order with U: 2 * 3; first after C: 3. Together 9.
// With a callback main has 15 steps between create and join (tests/support/count_stop_callback.py names them).
// Without a preemption main comes to its join before the thread has looked: one. With one, the thread is let in before
// one of the 15: it looks, and gives way or ends: 15. All of them are counted in cxx_stop_callback.cpp.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 9
// run: -s preempt -b 1 -- callback
// expect: no finding
// expect: complete == true
// expect: per_bound[0].executions == 1
// expect: per_bound[1].executions == 15
// run: -s random -n 200 -- callback
// expect: no finding
// expect: cut == 0
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main(int argc, char **argv)
{
    if (argc > 1) {
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
    std::jthread worker([](std::stop_token token) {
        while (!token.stop_requested())
            ;
    });
    return 0;
}
