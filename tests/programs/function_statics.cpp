// A static of a function is made once, by the first thread.
// run: -s dfs -n 5000
// expect: no finding
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<int> made;

struct Table {
    std::string name = "a name that is longer than what a string keeps inside itself";
    Table()
    {
        made++;
    }
};

static const Table &table()
{
    static Table instance;
    return instance;
}

int main()
{
    std::thread other([] { assert(table().name.size() == 60); });
    assert(table().name.size() == 60);
    other.join();
    assert(made == 1);
    return 0;
}
