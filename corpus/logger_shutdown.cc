// A logger writes messages in a thread of its own. log() looks whether the logger is closed and
// then takes the lock to queue the message; if the logger is closed in between, its thread writes
// what is queued and ends, and the message, accepted as it was, is never written.
// group: idioms
// threads: 3
// finds: assertion
// lines: 37 39
// pb: 1
// db: 1
// options: --exit wait
// variants: logger_shutdown
// variants: logger_shutdown_fixed -DFIXED
// finds logger_shutdown_fixed: nothing
// pb logger_shutdown_fixed: -
// db logger_shutdown_fixed: -
// twin: logger_shutdown_fixed
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Logger
{
  public:
    Logger() : writer([this] { write(); }) {}

    bool log(const char *message)
    {
#ifdef FIXED
        std::lock_guard<std::mutex> guard(lock);
        if (closed)
            return false;
#else
        if (closed)
            return false;
        std::lock_guard<std::mutex> guard(lock);
#endif
        queue.push_back(message);
        changed.notify_one();
        return true;
    }

    size_t close()
    {
        {
            std::lock_guard<std::mutex> guard(lock);
            closed = true;
            changed.notify_one();
        }
        writer.join();
        return written;
    }

  private:
    void write()
    {
        std::unique_lock<std::mutex> guard(lock);
        while (!closed || !queue.empty()) {
            changed.wait(guard, [this] { return closed || !queue.empty(); });
            written += queue.size();
            queue.clear();
        }
    }

    std::mutex lock;
    std::condition_variable changed;
    std::vector<std::string> queue;
    std::atomic<bool> closed{false};
    size_t written = 0;
    std::thread writer;
};

int main()
{
    Logger logger;
    size_t accepted = 0;
    std::thread client([&] { accepted += logger.log("hello"); });
    size_t written = logger.close();
    client.join();
    assert(written == accepted);
    return 0;
}
