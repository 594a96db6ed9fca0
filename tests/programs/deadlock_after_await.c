// A thread that waited in a loop, went on and then waits for a mutex is part of a deadlock, not of a
// livelock. Its first compare-exchange comes before main's store (and fails) or after it: 2 executions.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -k
// expect: finding deadlock
// expect: executions 2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int word;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    int expected = 1;
    while (!atomic_compare_exchange_strong(&word, &expected, 2))
        expected = 1;
    pthread_mutex_lock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    atomic_store(&word, 1);
    pthread_join(thread, NULL);
    return 0;
}
