// Workers wait for work or for the stop flag. The flag is atomic, so it is set without the lock: a
// worker that has just looked at it and is about to wait misses both the flag and the notification.
// group: idioms
// threads: 3
// finds: deadlock
// lines: 39 46
// pb: 2
// db: 2
// options: --exit wait
// variants: work_queue_stop
// variants: work_queue_stop_fixed -DFIXED
// finds work_queue_stop_fixed: nothing
// pb work_queue_stop_fixed: -
// db work_queue_stop_fixed: -
// twin: work_queue_stop_fixed
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

class WorkQueue
{
  public:
    void add(int work)
    {
        std::lock_guard<std::mutex> guard(lock);
        queue.push(work);
        changed.notify_one();
    }

    void stop()
    {
#ifdef FIXED
        std::lock_guard<std::mutex> guard(lock);
#endif
        stopping = true;
        changed.notify_all();
    }

    bool take(int *work)
    {
        std::unique_lock<std::mutex> guard(lock);
        while (queue.empty() && !stopping)
            changed.wait(guard);
        if (queue.empty())
            return false;
        *work = queue.front();
        queue.pop();
        return true;
    }

  private:
    std::mutex lock;
    std::condition_variable changed;
    std::queue<int> queue;
    std::atomic<bool> stopping{false};
};

int main()
{
    WorkQueue queue;
    int done[2] = {0, 0};
    auto work_off = [&queue](int *sum) {
        int work;
        while (queue.take(&work))
            *sum += work;
    };
    std::thread first(work_off, &done[0]), second(work_off, &done[1]);
    queue.add(5);
    queue.stop();
    first.join();
    second.join();
    assert(done[0] + done[1] == 5);
    return 0;
}
