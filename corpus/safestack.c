// A stack without locks: free cells of an array are linked by their indices. A thread that takes a cell marks
// its link, moves the head and counts down; these are three steps, and one that has marked a link and then
// failed puts the link that it saw back, which may no longer be the right one. Then two threads own the same cell.
// The author of it said that this takes at least five preemptions, which the study repeats; it did not find the bug, so
// nothing was counted. A search through all states of the text (tests/support/count_safestack.py) says: six until two
// threads have the same cell, and one more, between the store of the one and its check, until that shows.
// group: misc
// threads: 4
// finds: assertion
// lines: 41 67
// pb: 7
// db: -
// beyond: pb
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { CELLS = 3, THREADS = 3, TURNS = 2, NOTHING = -1 };

struct cell {
    atomic_int owner;
    atomic_int next;
};

static struct cell cells[CELLS];
static atomic_int head;
static atomic_int count = CELLS;

static int take(void)
{
    while (atomic_load(&count) > 1) {
        int first = atomic_load(&head);
        int next = atomic_exchange(&cells[first].next, NOTHING);
        if (next < 0)
            continue;
        int expected = first;
        if (atomic_compare_exchange_strong(&head, &expected, next)) {
            atomic_fetch_sub(&count, 1);
            return first;
        }
        atomic_exchange(&cells[first].next, next);
    }
    return NOTHING;
}

static void give_back(int cell)
{
    int first = atomic_load(&head);
    do
        atomic_store(&cells[cell].next, first);
    while (!atomic_compare_exchange_strong(&head, &first, cell));
    atomic_fetch_add(&count, 1);
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int turn = 0; turn < TURNS; turn++) {
        int cell;
        while ((cell = take()) == NOTHING)
            sched_yield();
        atomic_store(&cells[cell].owner, me);
        assert(atomic_load(&cells[cell].owner) == me);
        give_back(cell);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < CELLS; i++)
        cells[i].next = i + 1 < CELLS ? i + 1 : NOTHING;
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
