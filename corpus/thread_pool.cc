// A thread pool with wait_idle(), which waits until no task is queued and no worker is busy. A
// worker takes a task from the queue and counts itself as busy only after it has released the lock;
// between the two the pool looks idle although a task is in flight.
// group: idioms
// threads: 3
// finds: assertion
// lines: 74 75
// pb: 1
// db: 1
// options: --exit wait
// variants: thread_pool
// variants: thread_pool_fixed -DFIXED
// finds thread_pool_fixed: nothing
// pb thread_pool_fixed: -
// db thread_pool_fixed: -
// twin: thread_pool_fixed
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

class ThreadPool
{
  public:
    explicit ThreadPool(int count)
    {
        for (int i = 0; i < count; i++)
            workers.emplace_back([this] { work(); });
    }

    ~ThreadPool()
    {
        {
            std::lock_guard<std::mutex> guard(lock);
            stopping = true;
        }
        changed.notify_all();
        for (std::thread &worker : workers)
            worker.join();
    }

    void submit(std::function<void()> task)
    {
        std::lock_guard<std::mutex> guard(lock);
        tasks.push_back(std::move(task));
        changed.notify_all();
    }

    void wait_idle()
    {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this] { return tasks.empty() && busy == 0; });
    }

  private:
    void work()
    {
        std::unique_lock<std::mutex> guard(lock);
        for (;;) {
            changed.wait(guard, [this] { return stopping || !tasks.empty(); });
            if (tasks.empty())
                return;
            std::function<void()> task = std::move(tasks.front());
            tasks.pop_front();
#ifdef FIXED
            busy++;
            guard.unlock();
#else
            guard.unlock();
            busy++;
#endif
            task();
            guard.lock();
            busy--;
            changed.notify_all();
        }
    }

    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::function<void()>> tasks;
    std::atomic<int> busy{0};
    bool stopping = false;
    std::vector<std::thread> workers;
};

int main()
{
    std::atomic<int> done{0};
    ThreadPool pool(2);
    for (int i = 0; i < 2; i++)
        pool.submit([&done] { done++; });
    pool.wait_idle();
    assert(done == 2);
    return 0;
}
