// Futures with continuations: then() runs its function at once if the value is there, otherwise it
// is kept until the value comes. Whether it is there is asked without the lock: if the value comes
// before the function is put in the list, nobody ever runs it.
// group: large
// threads: 4
// finds: assertion
// lines: 51
// pb: 1
// db: 1
// options: --exit wait
// variants: future_chain
// variants: future_chain_fixed -DFIXED
// finds future_chain_fixed: nothing
// pb future_chain_fixed: -
// db future_chain_fixed: -
// twin future_chain: future_chain_fixed
#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Future
{
  public:
    void set(int value)
    {
        std::vector<std::function<void(int)>> functions;
        {
            std::lock_guard<std::mutex> guard(lock);
            result = value;
            ready = true;
            functions.swap(continuations);
        }
        for (auto &function : functions)
            function(value);
    }

    void then(std::function<void(int)> function)
    {
#ifdef FIXED
        std::unique_lock<std::mutex> guard(lock);
        if (ready) {
            guard.unlock();
            function(result);
            return;
        }
#else
        if (ready) {
            function(result);
            return;
        }
        std::lock_guard<std::mutex> guard(lock);
#endif
        continuations.push_back(std::move(function));
    }

  private:
    std::mutex lock;
    std::atomic<bool> ready{false};
    int result = 0;
    std::vector<std::function<void(int)>> continuations;
};

static constexpr int FUTURES = 12;

int main()
{
    std::vector<std::unique_ptr<Future>> requests, replies;
    for (int i = 0; i < FUTURES; i++) {
        requests.push_back(std::make_unique<Future>());
        replies.push_back(std::make_unique<Future>());
    }
    std::atomic<int> sum{0};
    std::thread client([&] {
        for (int i = 0; i < FUTURES; i++)
            requests[i]->set(i);
    });
    std::thread server([&] {
        for (int i = 0; i < FUTURES; i++)
            requests[i]->then([&replies, i](int value) { replies[i]->set(value * 2); });
    });
    std::thread reader([&] {
        for (auto &reply : replies)
            reply->then([&sum](int value) { sum += value; });
    });
    client.join();
    server.join();
    reader.join();
    assert(sum == FUTURES * (FUTURES - 1));
}
