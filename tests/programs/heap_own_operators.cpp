// A program that replaces operator new and delete gets its own, for arrays and sizes too.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: no finding
#include <cassert>
#include <cstdlib>
#include <new>
#include <string>

static volatile int made, gone; /* compilers think they know what the operators do */

void *operator new(std::size_t size)
{
    made = made + 1;
    return std::malloc(size);
}

void operator delete(void *block) noexcept
{
    gone = gone + 1;
    std::free(block);
}

void operator delete(void *block, std::size_t) noexcept
{
    gone = gone + 1;
    std::free(block);
}

int main()
{
    int *volatile one = new int;
    int *volatile several = new int[3];
    std::string *volatile text = new std::string("long enough to be allocated on its own, surely");
    assert(made == 4);
    delete one;
    delete[] several;
    delete text;
    assert(gone == 4);
    return 0;
}
