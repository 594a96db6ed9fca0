// A lambda that takes something is called by its whole name: its own parameters are a part of it
// (with clang, which calls it $_2, they are not).
// build: gcc -O1 -std=c++17
// run: -s dfs -k --no-shrink
// expect: finding race
// expect: output (add_to_the_total(int)::{lambda(int, long)
// expect: output ::operator(), lambdas_are_named.cpp:
// expect: silence {lambda,
#include <thread>

static int total;

static void add_to_the_total(int amount)
{
    auto add = [amount](int times, long) __attribute__((noinline)) { total = total + amount * times; };
    std::thread one([&] { add(1, 1); }), two([&] { add(2, 1); });
    one.join();
    two.join();
}

int main()
{
    add_to_the_total(3);
}
