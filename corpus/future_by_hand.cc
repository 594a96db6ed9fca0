// A future made by hand. The promise stores the value under the lock and notifies after it has
// released it; a reader that comes just then sees the value, does not have to wait, and drops the
// shared state with the condition variable that is about to be notified.
// group: idioms
// threads: 2
// finds: use-after-free
// lines: 44 63
// pb: 2
// db: 2
// options: --exit wait
// variants: future_by_hand
// variants: future_by_hand_fixed -DFIXED
// finds future_by_hand_fixed: nothing
// pb future_by_hand_fixed: -
// db future_by_hand_fixed: -
// twin: future_by_hand_fixed
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

struct SharedState {
    std::mutex lock;
    std::condition_variable changed;
    bool is_ready = false;
    int value = 0;
};

class Promise
{
  public:
    explicit Promise(SharedState *state) : state(state) {}

    void set_value(int value)
    {
        std::unique_lock<std::mutex> guard(state->lock);
        state->value = value;
        state->is_ready = true;
#ifdef FIXED
        state->changed.notify_one();
        guard.unlock();
#else
        guard.unlock();
        state->changed.notify_one();
#endif
    }

  private:
    SharedState *state;
};

class Future
{
  public:
    explicit Future(SharedState *state) : state(state) {}

    int get()
    {
        std::unique_lock<std::mutex> guard(state->lock);
        state->changed.wait(guard, [this] { return state->is_ready; });
        int value = state->value;
        guard.unlock();
        delete state;
        return value;
    }

  private:
    SharedState *state;
};

int main()
{
    SharedState *state = new SharedState;
    Future future(state);
    std::thread computation([promise = Promise(state)]() mutable { promise.set_value(42); });
    assert(future.get() == 42);
    computation.join();
    return 0;
}
