// A C++ worker that looks at a flag under a std::mutex until it is told to stop: it ends, with as many
// executions as in C; if nobody tells it, that is a livelock.
// modes: all
// run: -s dfs
// expect: no finding
// expect: executions 3
// expect: complete == true
// run: -s dfs -- for-ever
// expect: finding livelock
// expect: findings[0].cycle == 2
#include <mutex>
#include <thread>

static std::mutex mutex;
static bool stop;

static bool stopped()
{
    std::lock_guard<std::mutex> guard(mutex);
    return stop;
}

int main(int argc, char **)
{
    std::thread worker([] {
        while (!stopped())
            ;
    });
    if (argc == 1) {
        std::lock_guard<std::mutex> guard(mutex);
        stop = true;
    }
    worker.join();
}
