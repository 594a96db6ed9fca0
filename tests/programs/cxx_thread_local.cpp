// thread_local objects: one for each thread, destroyed when it ends. No operation but create, join and
// exit: 1 execution.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 1
#include <cassert>
#include <thread>

static int made, gone;
struct counter {
    counter() { made++; }
    ~counter() { gone++; }
    int value = 0;
};
static thread_local counter mine;

int main()
{
    mine.value = 5;
    for (int i = 0; i < 2; i++) {
        std::thread other([] {
            assert(mine.value == 0);
            mine.value = 6;
        });
        other.join();
    }
    assert(mine.value == 5 && made == 3 && gone == 2);
    return 0;
}
