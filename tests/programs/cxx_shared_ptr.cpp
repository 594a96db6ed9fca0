// std::shared_ptr and weak_ptr: one thing is destroyed once, by its last owner. The thread lets go (d),
// and as the last one also of the count block (w); main lets go (D), locks its weak pointer: looks (k),
// compare-exchange (c), load, lets go. d before D: 1. d between D and k: w before or after k, 2. d between
// k and c: w before or after the failing c, 2. d after c: before the load, before or after the letting
// go, 3. Together 8.
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
#include <memory>
#include <thread>

static int destroyed;
struct thing {
    ~thing() { destroyed++; }
    int value = 7;
};

int main()
{
    auto first = std::make_shared<thing>();
    std::weak_ptr<thing> weak = first;
    std::thread other([copy = first]() mutable {
        assert(copy->value == 7);
        copy.reset();
    });
    first.reset();
    if (auto locked = weak.lock())
        assert(locked->value == 7);
    other.join();
    assert(destroyed == 1 && weak.expired());
    return 0;
}
