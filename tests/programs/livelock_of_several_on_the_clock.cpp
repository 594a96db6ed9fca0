// Several threads that look at the clock in each turn of loops that never end: a livelock, in whatever order they do.
// Those that end, since one of them is over, or sees what another has written, are none.
// build: gcc -O1
// build: clang -O2
// run: --no-shrink -s dfs -- wait_for
// expect: finding livelock
// expect: findings[0].cycle == 5
// run: --no-shrink -s dfs -- pollers
// expect: finding livelock
// run: --no-shrink -s dfs -- deadlines
// expect: finding livelock
// run: --no-shrink -s dfs -- mixed
// expect: finding livelock
// run: --no-shrink -s dfs --isolate fork --carrier kernel -- wait_for
// expect: finding livelock
// run: --no-shrink -s dfs --isolate exec -- deadlines
// expect: finding livelock
// run: --no-shrink -s preempt -- pollers
// expect: finding livelock
// run: --no-shrink -s random -n 1 -- wait_for
// expect: finding livelock
// run: --no-shrink -s random -n 1 -- pollers
// expect: finding livelock
// run: --no-shrink -s pct -n 1 -- wait_for
// expect: finding livelock
// run: -s random -n 3 -- turns
// expect: no finding
// expect: cut == 0
// run: -s random -n 3 -- moment
// expect: no finding
// expect: cut == 0
// run: -s pct -n 3 -- helped
// expect: no finding
// expect: cut == 0
// run: -s random -n 3 -- beat
// expect: no finding
// run: -s random -n 3 -- local_beat
// expect: no finding
// run: -s random -n 3 -- signalled
// expect: no finding
// run: -s random -n 3 -- try
// expect: no finding
#include <pthread.h>
#include <time.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using std::this_thread::sleep_for;

static std::mutex mutex;
static std::condition_variable changed;
static std::atomic<bool> flag;
static bool stop;
static steady_clock::time_point last_beat, *beat = &last_beat;
static std::string way;

static void wait_again(std::chrono::milliseconds pause)
{
    std::unique_lock<std::mutex> lock(mutex);
    while (!stop)
        changed.wait_for(lock, pause);
}

static void poll(std::chrono::milliseconds pause)
{
    while (!flag.load()) {
        (void)steady_clock::now();
        sleep_for(pause);
    }
}

static void set_deadlines(std::chrono::milliseconds pause)
{
    std::unique_lock<std::mutex> lock(mutex);
    while (!changed.wait_until(lock, steady_clock::now() + pause, [] { return stop; }))
        ;
}

static void give_up_after_turns()
{
    std::unique_lock<std::mutex> lock(mutex);
    for (int turns = 0; turns < 700 && !stop; turns++)
        changed.wait_for(lock, 1ms);
    stop = true;
}

static void give_up_after(steady_clock::duration longest)
{
    std::unique_lock<std::mutex> lock(mutex);
    for (auto begun = steady_clock::now(); steady_clock::now() < begun + longest && !stop;)
        changed.wait_for(lock, 1ms);
    stop = true;
}

/* One says that it is there, now and then, and another one ends if that was long ago. */
static void say()
{
    steady_clock::time_point mine = steady_clock::now();
    bool over = false;
    if (way == "local_beat") {
        std::lock_guard<std::mutex> lock(mutex);
        beat = &mine;
    }
    while (!over) { /* it does not end before the other one: its stack is looked at */
        sleep_for(4s);
        std::lock_guard<std::mutex> lock(mutex);
        *beat = steady_clock::now();
        over = stop;
    }
}

static void hear()
{
    bool over = false;
    while (!over) {
        sleep_for(1s);
        std::lock_guard<std::mutex> lock(mutex);
        over = steady_clock::now() - *beat > 3s;
        stop = stop || over;
    }
}

/* A signal comes if the lock is free when another one looks. */
static void try_to_signal()
{
    while (!flag.load()) {
        sleep_for(1ms);
        (void)steady_clock::now();
        if (mutex.try_lock()) {
            if (way == "try")
                flag = stop = true;
            mutex.unlock();
            changed.notify_all();
        }
    }
}

static void wait_for_signal()
{
    std::unique_lock<std::mutex> lock(mutex);
    while (changed.wait_for(lock, 1ms) == std::cv_status::timeout && !stop)
        ;
    flag = true;
}

static void *go_round(void *number)
{
    long i = (long)number;
    if (way == "wait_for" || way == "helped")
        wait_again(1ms);
    else if (way == "pollers")
        poll(i == 0 ? 3ms : 7ms);
    else if (way == "deadlines")
        set_deadlines(i == 0 ? 3ms : 5ms);
    else if (way == "mixed")
        i == 0 ? wait_again(2ms) : poll(3ms);
    else if (way == "turns")
        i == 0 ? give_up_after_turns() : wait_again(1ms);
    else if (way == "moment")
        i == 0 ? give_up_after(24h) : wait_again(1ms);
    else if (way == "beat" || way == "local_beat")
        i == 0 ? say() : hear();
    else if (way == "signalled" || way == "try")
        i == 0 ? try_to_signal() : wait_for_signal();
    return nullptr;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "wait_for";
    pthread_t threads[2];
    last_beat = steady_clock::now();
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], nullptr, go_round, (void *)i);
    if (way == "helped") {
        std::lock_guard<std::mutex> lock(mutex);
        stop = true;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], nullptr);
}
