// A latch wakes one of those who wait for it where it should wake them all: the others sleep for
// ever.
// group: idioms
// threads: 3
// finds: deadlock
// lines: 33 40
// pb: 1
// db: 1
// options: --exit wait
// variants: notify_one
// variants: notify_one_fixed -DFIXED
// finds notify_one_fixed: nothing
// pb notify_one_fixed: -
// db notify_one_fixed: -
// twin: notify_one_fixed
#include <condition_variable>
#include <mutex>
#include <thread>

class Latch
{
  public:
    explicit Latch(int count) : left(count) {}

    void count_down()
    {
        std::lock_guard<std::mutex> guard(lock);
        if (--left > 0)
            return;
#ifdef FIXED
        is_open.notify_all();
#else
        is_open.notify_one();
#endif
    }

    void wait()
    {
        std::unique_lock<std::mutex> guard(lock);
        is_open.wait(guard, [this] { return left <= 0; });
    }

  private:
    std::mutex lock;
    std::condition_variable is_open;
    int left;
};

int main()
{
    Latch start(1);
    std::thread first([&start] { start.wait(); });
    std::thread second([&start] { start.wait(); });
    start.count_down();
    first.join();
    second.join();
    return 0;
}
