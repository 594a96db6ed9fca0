// A read-write lock in one word: -1 is a writer, n > 0 are n readers. A reader waits until there is
// no writer and then adds itself; a writer that comes between the two shares the lock with it.
// group: idioms
// threads: 3
// finds: assertion
// lines: 39
// pb: 2
// db: 3
// options: --exit wait
// variants: spin_rwlock
// variants: spin_rwlock_fixed -DFIXED
// finds spin_rwlock_fixed: nothing
// pb spin_rwlock_fixed: -
// db spin_rwlock_fixed: -
// twin: spin_rwlock_fixed
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

enum { WRITER = -1 };

static atomic_int word;
static int balance, entries; /* guarded by it, always equal */

static void read_lock(void)
{
#ifdef FIXED
    for (;;) {
        int seen = word;
        if (seen != WRITER && atomic_compare_exchange_strong(&word, &seen, seen + 1))
            return;
        sched_yield();
    }
#else
    while (word == WRITER)
        sched_yield();
    atomic_fetch_add(&word, 1);
#endif
}

static void read_unlock(void)
{
    atomic_fetch_sub(&word, 1);
}

static void write_lock(void)
{
    for (;;) {
        int seen = 0;
        if (atomic_compare_exchange_strong(&word, &seen, WRITER))
            return;
        sched_yield();
    }
}

static void write_unlock(void)
{
    atomic_fetch_add(&word, 1);
}

static void *deposit(void *unused)
{
    write_lock();
    balance++;
    entries++;
    write_unlock();
    return unused;
}

static void *audit(void *unused)
{
    read_lock();
    assert(balance == entries);
    read_unlock();
    return unused;
}

int main(void)
{
    pthread_t teller, auditor;
    pthread_create(&teller, NULL, deposit, NULL);
    pthread_create(&auditor, NULL, audit, NULL);
    pthread_join(teller, NULL);
    pthread_join(auditor, NULL);
    return 0;
}
