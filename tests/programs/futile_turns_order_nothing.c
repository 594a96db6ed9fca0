// A futile iteration of a loop that waits is no part of the class, so what it acquires or releases orders nothing:
// dpor finds the race whether or not the loop has looked before.
// build: gcc -O2
// build: clang -O1
// run: -k -s dfs -- load
// expect: finding livelock
// expect: finding race
// run: -k -s dpor -- load
// expect: finding livelock
// expect: finding race
// run: -k -s bpor -- load
// expect: finding livelock
// expect: finding race
// run: -k -s dfs -- fence
// expect: finding livelock
// expect: finding race
// run: -k -s dpor -- fence
// expect: finding livelock
// expect: finding race
// run: -k -s dfs -- exchange
// expect: finding livelock
// expect: finding race
// run: -k -s dpor -- exchange
// expect: finding livelock
// expect: finding race
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int flag;
static int data;
static const char *how;

static void *writer(void *unused)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

static void *waiter(void *unused)
{
    if (strcmp(how, "load") == 0) {
        while (atomic_load_explicit(&flag, memory_order_acquire) != 2)
            ;
    } else if (strcmp(how, "fence") == 0) {
        while (atomic_load_explicit(&flag, memory_order_relaxed) != 2)
            ;
        atomic_thread_fence(memory_order_acquire);
    } else {
        while (atomic_exchange_explicit(&flag, 1, memory_order_acquire) != 2)
            ;
    }
    return (void *)(long)data;
}

static void *other(void *unused)
{
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return NULL;
}

int main(int argc, char **argv)
{
    static void *(*const starts[3])(void *) = {writer, waiter, other};
    pthread_t threads[3];
    how = argv[1];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
