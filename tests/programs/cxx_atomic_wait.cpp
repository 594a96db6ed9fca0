// std::atomic::wait and notify. The waiter enters the pool (e), looks up to 16 times (l), the last
// times with a yield after it, before it would sleep; leaves the pool (x) and looks once more. Main
// stores (s), looks whether somebody is in the pool (n) and, if so, wakes (f).
// s first: n in five places, with f in what is left: 1 + 4 + 3 + 1 + 1 = 10. s after e and k = 0..12
// looks: 4 + 3 + 1 + 1 = 9 each, 117. s between the 13th look and its yield: 6, as main must step when
// the other yields. s after that yield, no later: 9. Together 142.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 142
// run: -s preempt -b 2
// expect: no finding
// expect: complete == true
// run: -s random -n 300
// expect: no finding
// expect: cut == 0
// Where nobody stores another value, the waiter waits forever, told or not.
// run: -s preempt -b 0 -- never
// expect: finding deadlock
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> word;

int main(int argc, char **)
{
    std::thread waiter([] {
        word.wait(0);
        assert(word.load() == 1);
    });
    word.store(argc == 1);
    word.notify_one();
    waiter.join();
    return 0;
}
