// expect: no finding
// expect: peak_bytes < 400000000
// run: -s dfs
// expect: executions 5
// run: -s dpor
// expect: executions 2
// Large arrays and large stacks of which hardly anything is accessed.
#include <atomic>
#include <pthread.h>

static std::atomic<int> count;

static void *work(void *)
{
    volatile char large[512ul << 20];
    large[0] = 1;
    large[sizeof large - 1] = 2;
    long *array = new long[64ul << 20];
    array[12345678] = 1;
    count++;
    delete[] array;
    return nullptr;
}

int main()
{
    auto *array = new char[4ul << 30];
    array[0] = array[3ul << 30] = 1;
    delete[] array;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 600ul << 20);
    pthread_t threads[2];
    for (pthread_t &thread : threads)
        pthread_create(&thread, &attributes, work, nullptr);
    for (pthread_t &thread : threads)
        pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    return 0;
}
