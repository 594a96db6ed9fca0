// An exception that leaves a thread ends the program; the report names its type.
// run: -s dfs -k
// expect: finding uncaught-exception
// expect: output std::runtime_error
// expect: complete == true
#include <mutex>
#include <stdexcept>
#include <thread>

static std::mutex mutex;
static bool ready;

static void use()
{
    std::lock_guard<std::mutex> guard(mutex);
    if (!ready)
        throw std::runtime_error("not ready");
}

int main()
{
    std::thread user(use);
    {
        std::lock_guard<std::mutex> guard(mutex);
        ready = true;
    }
    user.join();
    return 0;
}
