// std::thread: joined, moved, detached. The joined ones have no operations of their own; the
// detached one yields once: before main's detach, between it and the exit, or never. 3 executions.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 3
#include <cassert>
#include <thread>

static int sum;

int main()
{
    std::thread first([](int n) { sum += n; }, 1);
    std::thread::id id = first.get_id();
    assert(first.joinable() && id != std::this_thread::get_id());
    first.join();
    std::thread second([&](int &n) { n++; }, std::ref(sum));
    std::thread moved = std::move(second);
    assert(!second.joinable());
    moved.join();
    std::thread([] { std::this_thread::yield(); }).detach();
    assert(sum == 2);
    return 0;
}
