// A work-stealing queue whose operations are little machines: what a thread is in the middle of lies on its own
// stack of calls. The stacks of all threads are in one table that grows when a thread comes for the first time,
// without a lock: of two that come at once, one takes the other's stack away.
// group: chess
// variants: SWSQ
// variants: IWSQWS -DSPIN
// threads: 3
// finds: uncaught-exception
// lines: 29 30
// pb: 1
// db: 1
// options: --exit wait
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <sched.h>
#include <stdexcept>
#include <thread>
#include <vector>

enum class Call { push, take, steal };

class Stacks {
public:
    void come(size_t thread)
    {
        if (count_ <= thread)
            count_ = thread + 1; /* the room is there: it grows at its end */
    }

    void enter(size_t thread, Call call)
    {
        at(thread).push_back(call);
    }

    void leave(size_t thread)
    {
        at(thread).pop_back();
    }

private:
    std::vector<Call> &at(size_t thread)
    {
        if (thread >= count_)
            throw std::out_of_range("no stack of calls for this thread");
        return room_[thread];
    }

    std::array<std::vector<Call>, 4> room_;
    size_t count_ = 0;
};

#ifdef SPIN
class Lock {
public:
    void lock()
    {
        while (held_.exchange(true))
            sched_yield();
    }

    void unlock()
    {
        held_ = false;
    }

private:
    std::atomic<bool> held_{false};
};
#else
using Lock = std::mutex;
#endif

class Queue {
public:
    void come(size_t thread)
    {
        stacks_.come(thread);
    }

    void push(int item)
    {
        stacks_.enter(0, Call::push);
        items_[tail_ % slots] = item;
        tail_++;
        stacks_.leave(0);
    }

    bool take(int &item)
    {
        stacks_.enter(0, Call::take);
        std::lock_guard<Lock> guard(lock_);
        bool any = head_ < tail_;
        if (any)
            item = items_[--tail_ % slots];
        stacks_.leave(0);
        return any;
    }

    bool steal(size_t thread, int &item)
    {
        stacks_.enter(thread, Call::steal);
        std::lock_guard<Lock> guard(lock_);
        bool any = head_ < tail_;
        if (any)
            item = items_[head_++ % slots];
        stacks_.leave(thread);
        return any;
    }

private:
    static constexpr int slots = 4;
    Stacks stacks_;
    Lock lock_;
    std::atomic<int> items_[slots] = {};
    std::atomic<int> head_{0}, tail_{0};
};

static Queue queue;
static std::atomic<int> sum;

static void thief(size_t number)
{
    queue.come(number);
    for (int in_vain = 0; in_vain < 2;) {
        int item = 0;
        if (queue.steal(number, item)) {
            sum += item;
        } else {
            in_vain++;
            sched_yield();
        }
    }
}

int main()
{
    queue.come(0);
    std::thread first(thief, 1), second(thief, 2);
    queue.push(1);
    queue.push(2);
    first.join();
    second.join();
    for (int item = 0; queue.take(item);)
        sum += item;
    assert(sum == 3);
    return 0;
}
