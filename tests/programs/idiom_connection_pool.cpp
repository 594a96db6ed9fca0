// A pool of connections as people write it in C++20: a counting_semaphore says how many are free, and a thread that gets none in
// time goes without; each is given back by a deleter, whatever happens.
// build: gcc -std=c++20 -O1
// build: clang -std=c++20 -O1
// modes: all
// run: -s random -n 100
// expect: no finding
// run: -s preempt -b 1
// expect: no finding
// expect: complete == true
#include <cassert>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

struct Connection {
    int uses = 0;
    bool busy = false;
};

class Pool {
public:
    explicit Pool(int count) : free_(count)
    {
        for (int i = 0; i < count; i++)
            idle_.push_back(std::make_unique<Connection>());
    }

    struct Return {
        Pool *pool;
        void operator()(Connection *connection) const { pool->put(connection); }
    };
    using Lease = std::unique_ptr<Connection, Return>;

    std::optional<Lease> get(std::chrono::milliseconds patience)
    {
        if (!free_.try_acquire_for(patience))
            return std::nullopt;
        std::lock_guard lock(mutex_);
        Connection *connection = idle_.back().release();
        idle_.pop_back();
        assert(!connection->busy);
        connection->busy = true;
        return Lease(connection, Return{this});
    }

    size_t idle()
    {
        std::lock_guard lock(mutex_);
        return idle_.size();
    }

private:
    void put(Connection *connection)
    {
        {
            std::lock_guard lock(mutex_);
            connection->busy = false;
            idle_.emplace_back(connection);
        }
        free_.release();
    }

    std::counting_semaphore<8> free_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Connection>> idle_;
};

static int work(Pool &pool, bool fails)
{
    try {
        auto lease = pool.get(50ms);
        if (!lease)
            return 0;
        (*lease)->uses++;
        if (fails)
            throw std::runtime_error("the connection broke");
        return 1;
    } catch (const std::runtime_error &) {
        return 1;
    }
}

int main()
{
    Pool pool(1);
    int served[2] = {};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 2; i++)
            threads.emplace_back([&, i] { served[i] = work(pool, i == 1); });
    }
    assert(served[0] + served[1] >= 1 && pool.idle() == 1);
    return 0;
}
