// An error that every execution has does not hide the one that depends on the order: the search goes on past a
// block that is freed wrongly, is used or freed again, or overrun, and past a wrong exit status.
// modes: all
// run: -- mismatch
// expect: finding mismatched-free
// expect: finding assertion
// expect: output in every execution, whatever the order of steps
// run: -s dfs -- mismatch
// expect: finding mismatched-free
// expect: finding assertion
// run: -s dpor -k -- mismatch
// expect: finding mismatched-free
// expect: finding assertion
// expect: complete == true
// run: -s dpor -- freed
// expect: finding use-after-free
// expect: finding assertion
// run: -s preempt -- twice
// expect: finding double-free
// expect: finding assertion
// run: -s bpor -k -- beyond
// expect: finding out-of-bounds
// expect: finding assertion
// run: -s dfs -- before
// expect: finding exit
// expect: finding assertion
// run: -s dfs -- exit
// expect: finding exit
// expect: finding assertion
// run: -s dfs -- only
// expect: finding mismatched-free
// expect: complete == true
// expect: first_bug == null
// expect: buggy == 0
// run: -s dfs -k -- only
// expect: finding mismatched-free
// expect: complete == true
// expect: first_bug == null
// expect: buggy == 0
// run: -s dfs -- depends
// expect: finding use-after-free
// expect: complete == false
// expect: first_bug == 1
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <thread>

static std::atomic<int> n{0}, late{0};

static void count()
{
    int before = n.load();
    n.store(before + 1);
}

/* The thread that comes second is the one that finds the block freed. */
static int depends()
{
    static char *volatile block = (char *)malloc(8);
    std::thread thread([] { late.store(1); });
    if (late.load() == 0)
        free(block);
    thread.join();
    block[0] = 1;
    return 0;
}

int main(int, char **arguments)
{
    const char *what = arguments[1];
    if (strcmp(what, "depends") == 0)
        return depends();
    int *volatile array = new int[4];
    char *volatile block = (char *)malloc(8);
    std::thread a(count), b(count);
    a.join();
    b.join();
    if (strcmp(what, "mismatch") == 0 || strcmp(what, "only") == 0)
        delete array;
    else
        delete[] array;
    if (strcmp(what, "beyond") == 0)
        block[8] = 1;
    if (strcmp(what, "before") == 0)
        assert(n == 2);
    free(block);
    if (strcmp(what, "freed") == 0)
        block[0] = 1;
    if (strcmp(what, "twice") == 0)
        free(block);
    assert(n == 2 || strcmp(what, "only") == 0);
    return strcmp(what, "exit") == 0 || strcmp(what, "before") == 0 ? 3 : 0;
}
