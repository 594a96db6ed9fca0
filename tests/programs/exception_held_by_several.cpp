// An exception that goes from one thread to another through a future is destroyed by the thread that lets go last, in either
// order: no race with what the other one read from it. A member that is written without a lock is one.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// modes: all
// run: -s dfs -n 3000
// expect: no finding
// run: -s random -n 200 -- pointer
// expect: no finding
// run: -s dfs -k -n 3000 -- written
// expect: finding race
#include <cassert>
#include <cstring>
#include <exception>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

struct Failure : std::runtime_error {
    explicit Failure(int code) : std::runtime_error("a text"), where(64, 'x'), code(code) {}
    std::string where;
    mutable int code;
};

static bool writes;

static void look(const Failure &failure)
{
    assert(std::strcmp(failure.what(), "a text") == 0 && failure.where.size() == 64);
    assert(failure.where[63] == 'x');
    if (writes)
        failure.code++;
}

static void by_future()
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread other([promise = std::move(promise)]() mutable {
        promise.set_exception(std::make_exception_ptr(Failure(1)));
    });
    try {
        future.get();
        assert(false);
    } catch (const Failure &failure) {
        look(failure);
    }
    other.join();
}

/* Two threads have a pointer to one exception. */
static void by_pointer()
{
    std::exception_ptr shared = std::make_exception_ptr(Failure(2));
    auto rethrow = [](std::exception_ptr mine) {
        try {
            std::rethrow_exception(std::move(mine));
        } catch (const Failure &failure) {
            look(failure);
        }
    };
    std::thread other(rethrow, shared);
    rethrow(std::move(shared));
    other.join();
}

int main(int argc, char **argv)
{
    writes = argc > 1 && std::strcmp(argv[1], "written") == 0;
    if (argc > 1)
        by_pointer();
    else
        by_future();
    return 0;
}
