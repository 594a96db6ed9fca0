// The locks of C++ in a child process: those that another thread held at the fork block forever there.
// run: -s dfs -k -- mutex
// expect: finding misuse
// expect: complete == true
// run: -s dpor -k -j 2 -- recursive
// expect: finding misuse
// run: -s preempt -k -- shared
// expect: finding misuse
// run: -s dfs -k -- timed
// expect: finding misuse
// run: -s dfs -k -- atfork
// expect: no finding
// expect: complete == true
// run: -s dfs -k -- atfork-recursive
// expect: no finding
// run: -s dfs -k -- atfork-shared
// expect: no finding
// run: -s dfs -k -- unlocked
// expect: no finding
// build: gcc -O0 -std=c++17
// build: gcc -O2 -std=c++17
// build: clang -O1 -std=c++17
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <pthread.h>

static std::mutex plain;
static std::recursive_mutex recursive;
static std::shared_mutex shared;
static std::timed_mutex timed;
static std::string way;
static thread_local bool held;

static bool has(const char *part)
{
    return way.find(part) != std::string::npos;
}

static void take()
{
    if (has("recursive"))
        recursive.lock();
    else if (has("shared"))
        shared.lock();
    else if (has("timed"))
        timed.lock();
    else
        plain.lock();
}

static void give()
{
    if (has("recursive"))
        recursive.unlock();
    else if (has("shared"))
        shared.unlock();
    else if (has("timed"))
        timed.unlock();
    else
        plain.unlock();
}

static void prepare()
{
    if (!held)
        take();
}

static void release()
{
    if (!held)
        give();
}

static void hold()
{
    held = true;
    take();
    give();
    held = false;
}

static void child()
{
    if (has("timed")) {
        std::unique_lock<std::timed_mutex> guard(timed, std::chrono::seconds(1));
        _exit(0);
    }
    if (has("shared")) {
        std::shared_lock<std::shared_mutex> guard(shared);
        _exit(0);
    }
    take();
    give();
    _exit(0);
}

int main(int, char **argv)
{
    way = argv[1] != nullptr ? argv[1] : "mutex";
    if (has("atfork"))
        pthread_atfork(prepare, release, release);
    std::thread thread(hold);
    if (has("unlocked"))
        thread.join();
    pid_t process = fork();
    if (process == 0)
        child();
    int status;
    if (waitpid(process, &status, 0) != process || status != 0)
        std::abort();
    if (thread.joinable())
        thread.join();
    return 0;
}
