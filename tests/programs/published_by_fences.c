// No race: a release fence before a relaxed store and an acquire fence after a relaxed load order the
// data, and so does a relaxed read-modify-write that carries a release on.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int fenced, carried;
static int first, second;

static void *publish(void *unused)
{
    first = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&fenced, 1, memory_order_relaxed);
    second = 2;
    atomic_store_explicit(&carried, 1, memory_order_release);
    return unused;
}

static void *carry(void *unused)
{
    atomic_fetch_add_explicit(&carried, 1, memory_order_relaxed);
    return unused;
}

static void *look(void *unused)
{
    if (atomic_load_explicit(&fenced, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(first == 1);
    }
    if (atomic_load_explicit(&carried, memory_order_acquire) == 2)
        assert(second == 2);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, publish, NULL);
    pthread_create(&threads[1], NULL, carry, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
