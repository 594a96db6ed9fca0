// An event count lets consumers of a lock-free mailbox sleep: prepare, look once more, then wait.
// The consumer leaves out the second look. What is put between its first look and its prepare is
// not seen, and since nobody was waiting then, nobody is notified.
// group: idioms
// threads: 3
// finds: deadlock
// lines: 28 66 82
// pb: 1
// db: 2
// options: --exit wait
// variants: event_count
// variants: event_count_fixed -DFIXED
// finds event_count_fixed: nothing
// pb event_count_fixed: -
// db event_count_fixed: -
// twin: event_count_fixed
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

class EventCount
{
  public:
    unsigned prepare_wait()
    {
        waiters++;
        return epoch;
    }

    void cancel_wait()
    {
        waiters--;
    }

    void commit_wait(unsigned seen)
    {
        std::unique_lock<std::mutex> guard(lock);
        changed.wait(guard, [this, seen] { return epoch != seen; });
        waiters--;
    }

    void notify()
    {
        if (waiters == 0)
            return;
        std::lock_guard<std::mutex> guard(lock);
        epoch++;
        changed.notify_all();
    }

  private:
    std::mutex lock;
    std::condition_variable changed;
    std::atomic<unsigned> epoch{0};
    std::atomic<int> waiters{0};
};

static EventCount event;
static std::atomic<int> mailbox{0};

static int receive()
{
    for (;;) {
        if (int letter = mailbox.exchange(0))
            return letter;
        unsigned seen = event.prepare_wait();
#ifdef FIXED
        if (mailbox != 0) {
            event.cancel_wait();
            continue;
        }
#endif
        event.commit_wait(seen);
    }
}

int main()
{
    std::thread sender([] {
        mailbox = 7;
        event.notify();
    });
    std::thread receiver([] { assert(receive() == 7); });
    sender.join();
    receiver.join();
    return 0;
}
