// Loops that keep a schedule and never end are livelocks: the next moment, and all that is told from it, moves
// with the clock. Those that end, at a moment however far off or when they have counted, are none: where the limit of
// steps comes first, a warning says that they may be.
// build: gcc -O1
// build: clang -O2
// run: --no-shrink -s dfs -- clock
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs --steps 6000 -- steady
// expect: finding livelock
// expect: findings[0].cycle == 2
// run: --no-shrink -s dfs --steps 6000 -- system
// expect: finding livelock
// run: --no-shrink -s dfs --steps 6000 -- condition
// expect: finding livelock
// run: --no-shrink -s dfs --steps 6000 -- seconds
// expect: finding livelock
// run: --no-shrink -s dfs --steps 6000 -- kept
// expect: finding livelock
// run: --no-shrink -s dfs --isolate fork --carrier kernel --steps 6000 -- condition
// expect: finding livelock
// run: --no-shrink -s dfs --isolate exec --steps 6000 -- steady
// expect: finding livelock
// run: --no-shrink -s dfs --isolate reset --tracking protect --steps 6000 -- clock
// expect: finding livelock
// run: --no-shrink -s random -n 1 --steps 6000 -- steady
// expect: finding livelock
// run: --no-shrink -s pct -n 1 --steps 6000 -- clock
// expect: finding livelock
// run: --no-shrink -s dfs --steps 6000 -- clock
// expect: finding livelock
// run: -s dfs -- turns
// expect: no finding
// expect: complete == true
// run: -s dfs -- exactly
// expect: no finding
// expect: complete == true
// run: -s dfs -- hour
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- year
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- hour_exactly
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- begun_exactly
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- milliseconds
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- clock_hour
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- elapsed
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- sum
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- checked
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- midnight
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --steps 6000 -- date
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s dfs --isolate fork --carrier kernel --steps 6000 -- date_milliseconds
// expect: finding livelock
// expect: findings[0].severity == warning
// expect: exit 2
// expect: cut == 1
// run: -s random -n 10 -- helped
// expect: no finding
// expect: cut == 0
// run: -s pct -n 10 -- helped
// expect: no finding
// expect: cut == 0
#include <assert.h>
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
using std::chrono::system_clock;
using std::this_thread::sleep_until;

static std::atomic<bool> flag;
static std::mutex mutex;
static std::condition_variable changed;
static bool stop;
static steady_clock::time_point kept;
static std::string way;

static void add(timespec &time, long nanoseconds)
{
    time.tv_nsec += nanoseconds;
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
}

static void by_clock(time_t longest)
{
    timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    time_t end = next.tv_sec + longest;
    while (!flag.load() && (longest == 0 || next.tv_sec < end)) {
        add(next, 1000000);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
    }
}

static void by_seconds()
{
    timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    for (; !flag.load(); next.tv_sec++)
        clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &next, nullptr);
}

static void by_condition()
{
    auto next = steady_clock::now();
    std::unique_lock<std::mutex> lock(mutex);
    while (!stop)
        changed.wait_until(lock, next += 2ms);
}

template <typename Clock> static void on_and_on()
{
    for (auto next = Clock::now(); !flag.load(); next += 1ms)
        sleep_until(next);
}

template <typename Clock> static void until(typename Clock::duration longest)
{
    auto next = Clock::now();
    auto end = next + longest;
    while (!flag.load() && next < end)
        sleep_until(next += 1ms);
}

static void until_exactly(steady_clock::duration longest)
{
    auto next = steady_clock::now();
    auto end = next + longest;
    while (!flag.load() && next != end)
        sleep_until(next += 1ms);
}

/* A moment that is kept nowhere, but for where it is counted from. */
static void since_exactly(steady_clock::duration longest)
{
    auto begun = steady_clock::now(), next = begun;
    while (!flag.load() && next - begun != longest)
        sleep_until(next += 1ms);
}

static void in_milliseconds(long longest)
{
    auto now = steady_clock::now().time_since_epoch();
    long next = std::chrono::duration_cast<std::chrono::milliseconds>(now).count() + 1, end = next + longest;
    while (!flag.load() && next != end) {
        next += 10;
        sleep_until(steady_clock::time_point(std::chrono::milliseconds(next)));
    }
}

/* A date that stands in the code alone. */
static void until_date()
{
    timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    while (!flag.load() && next.tv_sec != 2000000000) {
        add(next, 1000000);
        clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &next, nullptr);
    }
}

static void until_date_in_milliseconds()
{
    auto next = std::chrono::time_point_cast<std::chrono::milliseconds>(system_clock::now());
    while (!flag.load() && next.time_since_epoch() != 2000000000000ms)
        sleep_until(next += 1ms);
}

static void by_turns()
{
    auto next = steady_clock::now();
    for (int turns = 0; turns < 3000 && !flag.load(); turns++)
        sleep_until(next += 1ms);
}

/* Nothing but the time that it has counted ends it. */
static void by_elapsed()
{
    auto next = steady_clock::now();
    for (long elapsed = 0; elapsed < 900000000 && !flag.load(); elapsed += 1000)
        sleep_until(next += 1us);
}

static void by_sum()
{
    auto next = steady_clock::now(), last = next;
    steady_clock::duration sum{};
    while (sum < 24h && !flag.load()) {
        sleep_until(next += 1ms);
        auto now = steady_clock::now();
        sum += now - last;
        last = now;
    }
}

/* What is never true, wherever the loop is in an hour. */
static void be_checked()
{
    auto begun = steady_clock::now(), next = begun;
    while (!flag.load()) {
        sleep_until(next += 1ms);
        assert(next - begun < 1h);
    }
}

static void until_midnight()
{
    auto next = system_clock::now();
    while (system_clock::to_time_t(next) % 86400 > 60 && !flag.load())
        sleep_until(next += 100ms);
}

static void *go_round(void *)
{
    if (way == "clock")
        by_clock(0);
    else if (way == "clock_hour")
        by_clock(3600);
    else if (way == "steady" || way == "helped")
        on_and_on<steady_clock>();
    else if (way == "system")
        on_and_on<system_clock>();
    else if (way == "condition")
        by_condition();
    else if (way == "seconds")
        by_seconds();
    else if (way == "kept")
        for (kept = steady_clock::now(); !flag.load(); kept += 1ms)
            sleep_until(kept);
    else if (way == "turns")
        by_turns();
    else if (way == "exactly")
        until_exactly(3s);
    else if (way == "hour")
        until<steady_clock>(1h);
    else if (way == "year")
        until<system_clock>(365 * 24h);
    else if (way == "hour_exactly")
        until_exactly(1h);
    else if (way == "begun_exactly")
        since_exactly(1h);
    else if (way == "milliseconds")
        in_milliseconds(3600000);
    else if (way == "date")
        until_date();
    else if (way == "date_milliseconds")
        until_date_in_milliseconds();
    else if (way == "elapsed")
        by_elapsed();
    else if (way == "sum")
        by_sum();
    else if (way == "checked")
        be_checked();
    else if (way == "midnight")
        until_midnight();
    return nullptr;
}

int main(int argc, char **argv)
{
    way = argc > 1 ? argv[1] : "steady";
    pthread_t thread;
    pthread_create(&thread, nullptr, go_round, nullptr);
    if (way == "helped")
        flag = true;
    pthread_join(thread, nullptr);
}
