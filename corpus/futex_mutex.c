// A mutex made of a futex: 0 is free, 1 taken, 2 taken with sleepers. Who was woken takes the mutex
// as 1 and forgets that others may sleep too, so that nobody wakes them.
// group: idioms
// threads: 4
// finds: deadlock
// lines: 43 53
// pb: 1
// db: 1
// options: --exit wait
// variants: futex_mutex
// variants: futex_mutex_fixed -DFIXED
// finds futex_mutex_fixed: nothing
// pb futex_mutex_fixed: -
// db futex_mutex_fixed: -
// twin: futex_mutex_fixed
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FREE, TAKEN, CONTENDED, THREADS = 3 };

static atomic_int word;
static int counter;

static void lock(void)
{
    int seen = FREE;
    if (atomic_compare_exchange_strong(&word, &seen, TAKEN))
        return;
#ifdef FIXED
    while (atomic_exchange(&word, CONTENDED) != FREE)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, CONTENDED, NULL, NULL, 0);
#else
    for (;;) {
        seen = TAKEN;
        atomic_compare_exchange_strong(&word, &seen, CONTENDED);
        if (seen != FREE)
            syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, CONTENDED, NULL, NULL, 0);
        seen = FREE;
        if (atomic_compare_exchange_strong(&word, &seen, TAKEN))
            return;
    }
#endif
}

static void unlock(void)
{
    if (atomic_exchange(&word, FREE) == CONTENDED)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *count(void *unused)
{
    lock();
    counter++;
    unlock();
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS);
    return 0;
}
