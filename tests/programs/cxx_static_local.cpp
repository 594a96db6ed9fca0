// The guard of a static local: look (L), and if it is not made: enter (E), leave (D). Both looks
// before any E: 2 orders of looks, 2 of entering. The second look between E and D: 2. After D: 2.
// Together 8.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// build: gcc -std=c++20 -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 8
#include <cassert>
#include <thread>

static int made;
struct thing {
    thing() : value(++made) {}
    int value;
};

static thing &the_thing()
{
    static thing it;
    return it;
}

int main()
{
    std::thread other([] { assert(the_thing().value == 1); });
    assert(the_thing().value == 1);
    other.join();
    assert(made == 1);
    return 0;
}
