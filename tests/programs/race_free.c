// No races where locks, creation, joining and atomics order everything; and none between atomics.
// build: gcc -O1
// build: clang -O1
// run: -s dfs --points all
// expect: no finding
// expect: complete == true
// run: -s dfs --points race
// expect: no finding
// expect: restarts 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int before, locked, result, message;
static atomic_int published;

static void *work(void *unused)
{
    result = before + 1;
    pthread_mutex_lock(&mutex);
    locked++;
    pthread_mutex_unlock(&mutex);
    message = 5;
    atomic_store_explicit(&published, 1, memory_order_release);
    return unused;
}

int main(void)
{
    before = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    locked++;
    pthread_mutex_unlock(&mutex);
    if (atomic_load_explicit(&published, memory_order_acquire))
        assert(message == 5);
    pthread_join(thread, NULL);
    assert(result == 2 && locked == 2);
    return 0;
}
