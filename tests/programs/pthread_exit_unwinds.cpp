// pthread_exit runs the destructors of every frame and the cleanup handlers, through catch (...).
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
#include <atomic>
#include <cassert>
#include <pthread.h>

static std::atomic<int> destroyed, cleaned;

struct Guard {
    ~Guard()
    {
        destroyed++;
    }
};

static void clean(void *)
{
    cleaned++;
}

static void leave()
{
    Guard guard;
    pthread_exit(reinterpret_cast<void *>(7));
}

static void *work(void *)
{
    Guard guard;
    pthread_cleanup_push(clean, nullptr);
    try {
        leave();
    } catch (...) {
        throw;
    }
    pthread_cleanup_pop(0);
    return nullptr;
}

int main()
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_join(thread, &result);
    assert(result == reinterpret_cast<void *>(7));
    assert(destroyed == 2 && cleaned == 1);
    return 0;
}
