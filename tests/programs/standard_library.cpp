// The parts of the library that C++ programs use: std::thread, mutexes, condition variables, containers, streams, exit
// handlers; each must work inside every execution.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -n 5000
// expect: no finding
// run: -s preempt -b 1 --isolate fork
// expect: no finding
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::vector<std::string> queue;
static std::atomic<int> finished;

static void consume()
{
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return !queue.empty(); });
    std::map<std::string, int> lengths;
    lengths[queue.back()] = static_cast<int>(queue.back().size());
    queue.pop_back();
    std::ostringstream text;
    for (auto &entry : lengths)
        text << entry.first << ' ' << entry.second << ' ' << 1.5;
    assert(text.str() == "a string that is not short 26 1.5");
    finished++;
}

static void produce()
{
    std::lock_guard<std::mutex> guard(mutex);
    queue.emplace_back("a string that is not short");
    changed.notify_one();
}

int main()
{
    std::atexit([] {
        if (finished != 1)
            std::abort();
    });
    std::thread consumer(consume), producer(produce);
    consumer.join();
    producer.join();
    return 0;
}
