// std::shared_mutex and std::shared_timed_mutex: readers together, writers alone. The 19 executions
// of two readers are those of rwlock_readers_together.c; a reader and a writer are as two that lock a mutex: 10.
// With a time limit there are those 10, and those in which one comes while the other holds it and goes without: the
// writer after the reader's lock, the second thread being created before or after that, or the reader after the
// writer's, main's join of it being before or after the writer's unlock: 2 each, 14 together.
// build: gcc -O1 -std=c++20
// build: clang -O1 -std=c++20
// run: -s dfs -- readers
// expect: no finding
// expect: complete == true
// expect: executions 19
// run: -s dfs -- writer
// expect: no finding
// expect: complete == true
// expect: executions 10
// run: -s dfs -- timed
// expect: no finding
// expect: complete == true
// expect: executions 14
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>

static std::shared_mutex plain;
static std::shared_timed_mutex timed;
static int first_half, second_half;

static void read_it()
{
    std::shared_lock<std::shared_mutex> lock(plain);
    assert(first_half == second_half);
}

static void write_it()
{
    std::unique_lock<std::shared_mutex> lock(plain);
    first_half++;
    second_half++;
}

static void read_in_time()
{
    std::shared_lock<std::shared_timed_mutex> lock(timed, std::chrono::hours(1));
    if (lock)
        assert(first_half == second_half);
}

static void write_in_time()
{
    if (timed.try_lock_for(std::chrono::hours(1))) {
        first_half++;
        second_half++;
        timed.unlock();
    }
}

int main(int argc, char **argv)
{
    std::string how = argv[argc - 1];
    if (how == "timed") {
        std::thread reader(read_in_time), writer(write_in_time);
        reader.join();
        writer.join();
        return 0;
    }
    std::thread reader(read_it), other(how == "readers" ? read_it : write_it);
    reader.join();
    other.join();
    return 0;
}
