// A service can be stopped by any thread. stop() looks whether the thread still has to be
// joined and joins it; two that stop the service at the same time join it twice.
// group: idioms
// threads: 4
// finds: misuse
// lines: 36 37
// pb: 0
// db: 0
// options: --exit wait
// variants: double_join
// variants: double_join_fixed -DFIXED
// finds double_join_fixed: nothing
// pb double_join_fixed: -
// db double_join_fixed: -
// twin: double_join_fixed
#include <atomic>
#include <cassert>
#include <pthread.h>
#include <thread>

class Service
{
  public:
    Service()
    {
        pthread_create(&thread, nullptr, run, this);
    }

    void stop()
    {
        stopping = true;
#ifdef FIXED
        if (is_running.exchange(false))
            pthread_join(thread, nullptr);
#else
        if (is_running) {
            pthread_join(thread, nullptr);
            is_running = false;
        }
#endif
    }

  private:
    static void *run(void *self)
    {
        Service *service = static_cast<Service *>(self);
        while (!service->stopping)
            std::this_thread::yield();
        return nullptr;
    }

    std::atomic<bool> stopping{false}, is_running{true};
    pthread_t thread;
};

int main()
{
    Service service;
    std::thread first([&service] { service.stop(); });
    std::thread second([&service] { service.stop(); });
    first.join();
    second.join();
    return 0;
}
