// A work-stealing queue: its owner pushes and takes at the tail, thieves take at the head, under a lock. A push
// fills the queue to its last slot, but the slot before the head is the one that a thief may have claimed and
// not yet read: it is overwritten, one item is taken twice and another one never.
// group: chess
// variants: WSQ
// variants: IWSQ -DSPIN
// threads: 3
// finds: assertion
// lines: 59 87
// lines IWSQ: 60 86
// pb: 2
// db: 2
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { SLOTS = 2, ITEMS = 4, NOTHING = -1 };

static atomic_int slots[SLOTS];
static atomic_int head, tail;
static atomic_int taken[ITEMS];

#ifdef SPIN
static atomic_bool locked;

static void lock(void)
{
    while (atomic_exchange(&locked, true))
        sched_yield();
}

static void unlock(void)
{
    atomic_store(&locked, false);
}
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
    pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
    pthread_mutex_unlock(&mutex);
}
#endif

static bool push(int item)
{
    int last = atomic_load(&tail);
    if (last - atomic_load(&head) >= SLOTS)
        return false;
    atomic_store(&slots[last % SLOTS], item);
    atomic_store(&tail, last + 1);
    return true;
}

static int take(void)
{
    int last = atomic_load(&tail) - 1;
    atomic_store(&tail, last);
    if (atomic_load(&head) <= last)
        return atomic_load(&slots[last % SLOTS]);
    atomic_store(&tail, last + 1);
    lock(); /* a thief may be after the same item */
    int item = NOTHING;
    if (atomic_load(&head) <= last) {
        atomic_store(&tail, last);
        item = atomic_load(&slots[last % SLOTS]);
    }
    unlock();
    return item;
}

static int steal(void)
{
    lock();
    int item = NOTHING, first = atomic_load(&head);
    atomic_store(&head, first + 1);
    if (first < atomic_load(&tail))
        item = atomic_load(&slots[first % SLOTS]);
    else
        atomic_store(&head, first);
    unlock();
    return item;
}

static void use(int item)
{
    if (item != NOTHING)
        assert(atomic_fetch_add(&taken[item], 1) == 0);
}

static void *thief(void *unused)
{
    use(steal());
    return unused;
}

int main(void)
{
    pthread_t thieves[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thieves[i], NULL, thief, NULL);
    for (int item = 0; item < ITEMS; item += 2) {
        for (int i = item; i < item + 2; i++)
            if (!push(i))
                use(i); /* no room: done here and now */
        use(take());
    }
    for (int i = 0; i < 2; i++)
        pthread_join(thieves[i], NULL);
    for (int left = take(); left != NOTHING; left = take())
        use(left);
    for (int i = 0; i < ITEMS; i++)
        assert(atomic_load(&taken[i]) == 1);
    return 0;
}
