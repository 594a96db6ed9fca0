// Elements of a std::array have names of their own, wherever it is: two locks are told apart.
// build: gcc -O1 -std=c++17
// build: clang -O0 -std=c++17
// run: -s preempt -b 1 -k --no-shrink
// expect: finding deadlock
// expect: output lock c.stripes[0].m
// expect: output lock c.stripes[1].m
// expect: silence lock c.stripes at
// run: -s preempt -b 1 -k --no-shrink -- global
// expect: finding deadlock
// expect: output lock everywhere.stripes[0].m
// expect: output lock everywhere.stripes[1].m
// run: -s preempt -b 1 -k --no-shrink -- grid
// expect: finding race
// expect: output on grid[1][2]
#include <array>
#include <cstring>
#include <mutex>
#include <thread>

struct stripe {
    long before;
    std::mutex m;
};

struct cache {
    int size;
    std::array<stripe, 2> stripes;
};

static cache everywhere;
std::array<std::array<int, 3>, 2> grid; /* not static: what only is written compilers leave out */

static void both(stripe &a, stripe &b)
{
    std::lock_guard<std::mutex> one(a.m);
    std::lock_guard<std::mutex> two(b.m);
}

static void swap_locks(cache &in)
{
    std::thread one([&] { both(in.stripes[0], in.stripes[1]); });
    std::thread two([&] { both(in.stripes[1], in.stripes[0]); });
    one.join();
    two.join();
}

static void write_one()
{
    std::thread one([] { grid[1][2] = 1; }), two([] { grid[1][2] = 2; });
    one.join();
    two.join();
}

int main(int count, char **arguments)
{
    cache c;
    if (count == 1)
        swap_locks(c);
    else if (std::strcmp(arguments[1], "global") == 0)
        swap_locks(everywhere);
    else
        write_one();
}
