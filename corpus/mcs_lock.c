// A queue lock after Mellor-Crummey and Scott: each waiter spins on a flag of its own, and the thread
// that unlocks sets the flag of the next one. If there seems to be no next one the queue is emptied,
// with a plain store where a compare-exchange is needed: a thread that has joined the queue but not
// yet told so waits forever.
// group: idioms
// threads: 3
// finds: livelock
// lines: 38 51 53
// pb: 1
// db: 1
// options: --exit wait
// variants: mcs_lock
// variants: mcs_lock_fixed -DFIXED
// finds mcs_lock_fixed: nothing
// pb mcs_lock_fixed: -
// db mcs_lock_fixed: -
// twin: mcs_lock_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { THREADS = 2 };

struct waiter {
    struct waiter *_Atomic next;
    atomic_bool may_go;
};

static struct waiter *_Atomic last;
static int counter;

static void lock(struct waiter *self)
{
    self->next = NULL;
    self->may_go = false;
    struct waiter *before = atomic_exchange(&last, self);
    if (before == NULL)
        return;
    before->next = self;
    while (!self->may_go)
        ;
}

static bool empty_queue(struct waiter *self)
{
#ifdef FIXED
    return atomic_compare_exchange_strong(&last, &self, NULL);
#else
    if (last != self)
        return false;
    last = NULL;
    return true;
#endif
}

static void unlock(struct waiter *self)
{
    if (self->next == NULL) {
        if (empty_queue(self))
            return;
        while (self->next == NULL)
            ;
    }
    self->next->may_go = true;
}

static void *count(void *argument)
{
    struct waiter *self = argument;
    lock(self);
    counter++;
    unlock(self);
    return NULL;
}

int main(void)
{
    static struct waiter waiters[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, count, &waiters[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(counter == THREADS);
    return 0;
}
