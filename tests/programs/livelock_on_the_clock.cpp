// Loops that look at the clock in each iteration, and never end, may be livelocks: the time is never as it was.
// run: -s dfs --isolate fork --steps 2000 -- wait_for
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- predicate
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- nanosleep
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- sleep_for
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- deadline
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- semaphore
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- future
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- mutex
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- busy
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// run: -s dfs --steps 2000 -- stamp
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string>
#include <thread>

using namespace std::chrono_literals;
using std::chrono::steady_clock;

static std::mutex mutex;
static std::timed_mutex taken;
static std::condition_variable changed;
static std::atomic<bool> flag;
static bool stop;
static sem_t semaphore;
static steady_clock::time_point seen_last;
static std::string way;

static timespec later(clockid_t clock, long nanoseconds)
{
    timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += nanoseconds;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
    return time;
}

static void wait_again()
{
    std::unique_lock<std::mutex> lock(mutex);
    while (!stop)
        changed.wait_for(lock, 1ms);
}

static void wait_for_predicate()
{
    std::unique_lock<std::mutex> lock(mutex);
    while (!changed.wait_for(lock, 10ms, [] { return stop; }))
        ;
}

static void sleep_and_look()
{
    timespec now, pause = {0, 1000000};
    while (clock_gettime(CLOCK_REALTIME, &now), !flag.load())
        nanosleep(&pause, nullptr);
}

static void *go_round(void *)
{
    if (way == "wait_for")
        wait_again();
    else if (way == "predicate")
        wait_for_predicate();
    else if (way == "nanosleep")
        sleep_and_look();
    else if (way == "sleep_for")
        while (!flag.load())
            std::this_thread::sleep_until(std::chrono::system_clock::now() + 3ms);
    else if (way == "deadline") /* it is set again in each iteration */
        do {
            timespec until = later(CLOCK_REALTIME, 5000000);
            pthread_mutex_timedlock(taken.native_handle(), &until);
        } while (!flag.load());
    else if (way == "semaphore")
        do {
            timespec until = later(CLOCK_REALTIME, 700);
            sem_timedwait(&semaphore, &until);
        } while (!flag.load());
    else if (way == "mutex")
        while (!taken.try_lock_for(20ms))
            ;
    else if (way == "busy")
        while (!flag.load())
            (void)steady_clock::now();
    else if (way == "stamp") /* the time of the last turn is kept, and nothing follows from it */
        while (!flag.load()) {
            seen_last = steady_clock::now();
            std::this_thread::sleep_for(1ms);
        }
    else if (way == "future") {
        std::promise<int> never;
        auto result = never.get_future();
        while (result.wait_for(1s) != std::future_status::ready)
            ;
    }
    return nullptr;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "wait_for";
    sem_init(&semaphore, 0, 0);
    auto begun = steady_clock::now();
    taken.lock();
    pthread_t thread;
    pthread_create(&thread, nullptr, go_round, nullptr);
    pthread_join(thread, nullptr);
    return steady_clock::now() < begun;
}
