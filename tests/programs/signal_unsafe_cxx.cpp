// The cases of signal_unsafe.c with what C++ calls: operators new and delete, streams and std::mutex.
// run: -s dfs -k -- new new
// expect: finding signal-unsafe
// expect: output operator new is not async-signal-safe, and the signal can interrupt operator new
// run: -s dfs -k -- cout new
// expect: finding signal-unsafe
// run: -s dfs -k -- new cout
// expect: finding signal-unsafe
// run: -s dfs -k -- mutex mutex
// expect: finding signal-unsafe
// expect: finding deadlock
// run: -s dfs -k -- new mutex
// expect: finding signal-unsafe
// expect: output and the thread holds a lock
// run: -s dfs -k -- atomic new
// expect: no finding
// run: -s dfs -k -- atomic mutex
// expect: no finding
// run: -s dfs -k -- static new
// expect: no finding
#include <atomic>
#include <csignal>
#include <iostream>
#include <mutex>
#include <pthread.h>
#include <string>
#include <thread>

static std::mutex mutex;
static std::atomic<int> come;
static int *volatile block;
static std::string what, doing;

static int &counter()
{
    static int number = come; /* with a guard, and nothing to destroy */
    return number;
}

static void act(int number)
{
    come = number;
    if (what == "new")
        block = new int(number);
    if (what == "cout")
        std::cout << "signal" << std::endl;
    if (what == "mutex")
        std::lock_guard<std::mutex> guard(mutex);
    if (what == "static")
        counter()++;
}

int main(int argc, char **argv)
{
    what = argv[argc - 2];
    doing = argv[argc - 1];
    std::signal(SIGUSR1, act);
    std::thread sender([main_thread = pthread_self()] { pthread_kill(main_thread, SIGUSR1); });
    if (doing == "new")
        block = new int(1);
    if (doing == "cout")
        std::cout << "working" << std::endl;
    if (doing == "mutex")
        std::lock_guard<std::mutex> guard(mutex);
    sender.join();
}
