// A static constructor may lock, allocate and start a thread before main begins.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: threads 2
// run: -s dfs --isolate fork
// expect: no finding
// run: -s dfs --isolate fork --carrier kernel
// expect: no finding
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;

struct Service {
    std::vector<int> values;
    std::thread thread;

    Service()
    {
        {
            std::lock_guard<std::mutex> guard(mutex);
            values.assign(100, 1);
        }
        thread = std::thread([this] {
            std::lock_guard<std::mutex> guard(mutex);
            values.push_back(2);
        });
    }
};

static Service service;

int main()
{
    {
        std::lock_guard<std::mutex> guard(mutex);
        service.values.push_back(3);
    }
    service.thread.join();
    assert(service.values.size() == 102);
    return 0;
}
