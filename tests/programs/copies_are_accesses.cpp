// Copying, filling or comparing memory is an access, also where gcc would write it out as instructions: the builtins that _FORTIFY_SOURCE
// and libstdc++ use. Another thread writes the same memory: a race.
//
// build: gcc -O2
// build: gcc -O2 -D_FORTIFY_SOURCE=2
// build: gcc -O3 -std=c++20 -D_FORTIFY_SOURCE=2
// build: clang -O2
// expect: finding race
// run: -s dpor -- set
// run: -s dpor -- copy
// run: -s dpor -- move
// run: -s dpor -- text
// run: -s dpor -- print
// run: -s dpor -- builtin
// run: -s dpor -- equal
// run: -s dpor -- less
// run: -s dpor -- fill
// run: -s dpor -- range
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <thread>

std::array<char, 29> bytes, others;
bool result;

#if __cplusplus > 201703L
constexpr bool is_constant()
{
    char all[4] = {};
    std::fill(all, all + 4, 'x');
    return std::equal(all, all + 4, "xxxx");
}
static_assert(is_constant(), "constant expressions stay what they are");
#endif

static void touch(const char *what)
{
    if (strcmp(what, "set") == 0)
        memset(bytes.data(), 1, bytes.size());
    else if (strcmp(what, "copy") == 0)
        memcpy(bytes.data(), others.data(), bytes.size());
    else if (strcmp(what, "move") == 0)
        memmove(bytes.data(), others.data(), bytes.size());
    else if (strcmp(what, "text") == 0)
        strcpy(bytes.data(), "some text");
    else if (strcmp(what, "print") == 0)
        sprintf(bytes.data(), "some text");
    else if (strcmp(what, "builtin") == 0)
        __builtin_memset(bytes.data(), 1, bytes.size());
    else if (strcmp(what, "equal") == 0)
        result = std::equal(bytes.begin(), bytes.begin() + 16, others.begin());
    else if (strcmp(what, "less") == 0)
        result = std::lexicographical_compare(bytes.begin(), bytes.end(), others.begin(), others.end());
    else if (strcmp(what, "fill") == 0)
        bytes.fill(2);
    else
        std::copy(others.begin(), others.end(), bytes.begin());
}

int main(int count, char **arguments)
{
    std::thread first(touch, count > 1 ? arguments[1] : "set");
    std::thread second([] { bytes[0] = 3; });
    first.join();
    second.join();
    return 0;
}
