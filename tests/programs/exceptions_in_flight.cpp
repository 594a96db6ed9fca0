// Two threads hold a caught exception while the other throws, catches and throws again: what is caught
// belongs to its thread.
// expect: no finding
// expect: executions == 42
// run: -s dfs
// run: -s dfs --isolate fork --carrier kernel
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static std::mutex mutex;

static void work(const char *name)
{
    try {
        throw std::runtime_error(name);
    } catch (const std::runtime_error &outer) {
        mutex.lock();
        try {
            throw 7;
        } catch (int inner) {
            mutex.unlock();
            assert(inner == 7);
        }
        mutex.lock();
        assert(std::uncaught_exceptions() == 0);
        mutex.unlock();
        try {
            throw;
        } catch (const std::runtime_error &again) {
            assert(&again == &outer && std::string(again.what()) == name);
        }
    }
}

int main()
{
    std::thread one(work, "one"), other(work, "other");
    one.join();
    other.join();
}
