// Memory is freed the way it was allocated, or that is a finding; the program goes on.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: no finding
// run: -s dfs -- malloc-delete
// expect: finding mismatched-free
// expect: output allocated with malloc, freed with delete
// run: -s dfs -- malloc-delete-array
// expect: finding mismatched-free
// run: -s dfs -- new-free
// expect: finding mismatched-free
// expect: output allocated with new, freed with free
// run: -s dfs -- new-delete-array
// expect: finding mismatched-free
// run: -s dfs -- array-delete
// expect: finding mismatched-free
// expect: output allocated with new[], freed with delete
// run: -s dfs -- array-free
// expect: finding mismatched-free
// run: -s dfs -- new-realloc
// expect: finding mismatched-free
// run: -s dfs -- thread
// expect: finding mismatched-free
// expect: output T1
// run: -s dfs --detect -heap -- new-free
// expect: no finding
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

static void *volatile hidden;

template <class T> static T *hide(T *block)
{
    hidden = block;
    return static_cast<T *>(hidden);
}

struct alignas(128) wide {
    char bytes[128];
};

static void right_ways()
{
    delete hide(new int(1));
    delete[] hide(new int[10]);
    delete hide(new wide);
    delete[] hide(new wide[3]);
    delete hide(new (std::nothrow) int);
    delete[] hide(new (std::nothrow) std::string[4]);
    operator delete(operator new(10));
    std::free(hide(std::malloc(10)));
    std::vector<std::string> texts(100, "a text that is too long to be kept inside");
    std::map<int, std::unique_ptr<int[]>> map;
    map[3] = std::make_unique<int[]>(5);
    auto shared = std::make_shared<std::string>("shared");
    try {
        operator delete(operator new(std::size_t(1) << 60));
    } catch (const std::bad_alloc &) {
    }
}

int main(int count, char **arguments)
{
    const std::string way = count > 1 ? arguments[1] : "";
    if (way == "")
        right_ways();
    else if (way == "malloc-delete")
        delete static_cast<int *>(hide(std::malloc(4)));
    else if (way == "malloc-delete-array")
        delete[] static_cast<int *>(hide(std::malloc(4)));
    else if (way == "new-free")
        std::free(hide(new int));
    else if (way == "new-delete-array")
        delete[] hide(new int);
    else if (way == "array-delete")
        delete hide(new int[2]);
    else if (way == "array-free")
        std::free(hide(new int[2]));
    else if (way == "new-realloc")
        std::free(std::realloc(hide(new int), 100));
    else if (way == "thread")
        std::thread([] { std::free(hide(new int)); }).join();
    return 0;
}
