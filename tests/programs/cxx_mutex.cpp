// std::mutex, recursive_mutex, scoped_lock of two. The thread that locks left first (2) has right too, then
// unlocks left (u) and right (v). The other locks left after u and tries right: both after v, around v,
// or both before v: then it gives left back before or after v and takes right first. 2 * 4 = 8.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 8
// run: -s random -n 200
// expect: no finding
// expect: cut == 0
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex left, right;
static int value;

static void both()
{
    std::scoped_lock guard(left, right);
    value++;
}

int main()
{
    std::recursive_mutex again;
    {
        std::lock_guard outer(again);
        std::unique_lock inner(again, std::try_to_lock);
        assert(inner.owns_lock());
    }
    std::unique_lock held(left);
    assert(!left.try_lock());
    held.unlock();
    std::thread first(both);
    both();
    first.join();
    assert(value == 2);
    return 0;
}
