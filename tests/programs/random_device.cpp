// The standard library's clocks, sleeps and random device stand on the same virtual ground.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: wall_seconds < 3
#include <cassert>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>

static std::mutex mutexes[4];

static void decide(unsigned number)
{
    std::lock_guard<std::mutex> lock(mutexes[number % 4]);
}

int main()
{
    using namespace std::chrono;
    auto start = steady_clock::now();
    std::this_thread::sleep_for(hours(1));
    std::this_thread::sleep_until(steady_clock::now() + minutes(1));
    std::this_thread::sleep_until(system_clock::now() + minutes(1));
    auto passed = steady_clock::now() - start;
    assert(passed >= minutes(62) && passed < minutes(62) + milliseconds(1));
    std::random_device device;
    for (int i = 0; i < 8; i++)
        decide(device());
    std::mt19937 engine(device());
    decide(engine());
    std::thread other([] { decide(std::random_device()()); });
    decide(static_cast<unsigned>(system_clock::now().time_since_epoch().count() / 1000));
    other.join();
    return 0;
}
