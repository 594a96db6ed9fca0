// Producers and consumers share one condition variable: notify_one may wake the wrong side, and all
// wait. With notify_all nothing is wrong.
// build: gcc -O1
// build: clang -O1
// run: -b 1
// expect: finding deadlock
// run: -b 1 -- all
// expect: no finding
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static bool full, everybody;

static void tell()
{
    if (everybody)
        changed.notify_all();
    else
        changed.notify_one();
}

static void put()
{
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return !full; });
    full = true;
    tell();
}

static void get()
{
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return full; });
    full = false;
    tell();
}

int main(int argc, char **)
{
    everybody = argc > 1;
    std::thread one(get), other(get), producer([] {
        put();
        put();
    });
    one.join();
    other.join();
    producer.join();
}
