// A ticket lock with a trylock: it looks whether the next ticket is the one being served, and then
// draws it. If somebody draws that ticket in between, trylock gets the one after and enters beside
// its holder.
// group: idioms
// threads: 3
// finds: assertion, livelock
// lines: 46 58
// pb: 2
// db: 3
// options: --exit wait
// variants: ticket_lock
// variants: ticket_lock_fixed -DFIXED
// finds ticket_lock_fixed: nothing
// pb ticket_lock_fixed: -
// db ticket_lock_fixed: -
// twin: ticket_lock_fixed
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct ticket_lock {
    atomic_uint next, serving;
};

static struct ticket_lock lock;
static atomic_int inside;

static void ticket_lock(struct ticket_lock *at)
{
    unsigned mine = atomic_fetch_add(&at->next, 1);
    while (at->serving != mine)
        sched_yield();
}

static bool ticket_trylock(struct ticket_lock *at)
{
    unsigned mine = at->serving;
#ifdef FIXED
    return atomic_compare_exchange_strong(&at->next, &mine, mine + 1);
#else
    if (at->next != mine)
        return false;
    atomic_fetch_add(&at->next, 1);
    return true;
#endif
}

static void ticket_unlock(struct ticket_lock *at)
{
    atomic_fetch_add(&at->serving, 1);
}

static void critical_section(void)
{
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
}

static void *work(void *unused)
{
    ticket_lock(&lock);
    critical_section();
    ticket_unlock(&lock);
    return unused;
}

static void *work_if_free(void *unused)
{
    if (ticket_trylock(&lock)) {
        critical_section();
        ticket_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t patient, impatient;
    pthread_create(&patient, NULL, work, NULL);
    pthread_create(&impatient, NULL, work_if_free, NULL);
    pthread_join(patient, NULL);
    pthread_join(impatient, NULL);
    return 0;
}
