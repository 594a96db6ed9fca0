// A detached thread adds to statistics that belong to the whole program. When main returns they are
// destroyed, with the mutex that the thread may hold at that moment.
// group: idioms
// threads: 2
// finds: misuse
// lines: 29 34
// pb: 2
// db: 2
// variants: after_main
// variants: after_main_fixed -DFIXED
// finds after_main_fixed: nothing
// pb after_main_fixed: -
// db after_main_fixed: -
// twin: after_main_fixed
#include <cassert>
#include <pthread.h>
#include <thread>

class Statistics
{
  public:
    Statistics()
    {
        pthread_mutex_init(&lock, nullptr);
    }

    ~Statistics()
    {
        pthread_mutex_destroy(&lock);
    }

    void add(int amount)
    {
        pthread_mutex_lock(&lock);
        sum += amount;
        pthread_mutex_unlock(&lock);
    }

  private:
    pthread_mutex_t lock;
    int sum = 0;
};

static Statistics statistics;

int main()
{
    std::thread counter([] { statistics.add(1); });
#ifdef FIXED
    counter.join();
#else
    counter.detach();
#endif
    return 0;
}
