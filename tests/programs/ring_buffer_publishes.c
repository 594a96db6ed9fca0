// One producer, one consumer, no lock: the release stores publish what the slot holds, both ends spin.
// Each loop can end with one store only, however often it looks before: 1 class.
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: classes == 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 1, ITEMS = 2 };

static int slots[SLOTS];
static atomic_uint head, tail;

static void *produce(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        unsigned end = atomic_load_explicit(&tail, memory_order_relaxed);
        while (end - atomic_load_explicit(&head, memory_order_acquire) == SLOTS)
            ;
        slots[end % SLOTS] = i;
        atomic_store_explicit(&tail, end + 1, memory_order_release);
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        unsigned start = atomic_load_explicit(&head, memory_order_relaxed);
        while (atomic_load_explicit(&tail, memory_order_acquire) == start)
            ;
        assert(slots[start % SLOTS] == i);
        atomic_store_explicit(&head, start + 1, memory_order_release);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, produce, NULL);
    pthread_create(&threads[1], NULL, consume, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
