// A counter that is spread over several cache lines so that threads do not disturb each other: each
// adds to its own cell, by a load and a store since nobody else writes there. But there are more
// threads than cells: two share one, and an addition is lost.
// group: idioms
// threads: 4
// finds: assertion
// lines: 35 36
// pb: 1
// db: 1
// options: --exit wait
// variants: padded_counter
// variants: padded_counter_fixed -DFIXED
// finds padded_counter_fixed: nothing
// pb padded_counter_fixed: -
// db padded_counter_fixed: -
// twin: padded_counter_fixed
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 3, CELLS = 2, LINE = 64 };

static struct {
    alignas(LINE) atomic_long value;
} cells[CELLS];

static void counter_add(int thread, long amount)
{
    atomic_long *cell = &cells[thread % CELLS].value;
#ifdef FIXED
    atomic_fetch_add_explicit(cell, amount, memory_order_relaxed);
#else
    long value = atomic_load_explicit(cell, memory_order_relaxed);
    atomic_store_explicit(cell, value + amount, memory_order_relaxed);
#endif
}

static long counter_sum(void)
{
    long sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += atomic_load_explicit(&cells[i].value, memory_order_relaxed);
    return sum;
}

static void *count(void *argument)
{
    int self = *(int *)argument;
    counter_add(self, 1);
    counter_add(self, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, count, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter_sum() == 2 * THREADS);
    return 0;
}
