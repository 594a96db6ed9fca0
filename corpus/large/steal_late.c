// A work-stealing deque after Chase and Lev with a small ring of tasks. A thief claims the oldest
// task by moving the top, and only then reads it from the ring: by then the owner may have put a
// new task in its place, so that one is lost and another done twice.
// group: large
// threads: 4
// finds: assertion
// lines: 69
// pb: 2
// db: 2
// options: --exit wait
// variants: steal_late
// variants: steal_late_fixed -DFIXED
// finds steal_late_fixed: nothing
// pb steal_late_fixed: -
// db steal_late_fixed: -
// twin steal_late: steal_late_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { ROOM = 4, TASKS = 10, THIEVES = 2, STEALS = 4, NOTHING = -1 };

static struct deque {
    atomic_int top, bottom; /* tasks are top..bottom-1 */
    atomic_int ring[ROOM];
} deque;

static atomic_int done[TASKS];

static bool push(int task)
{
    int bottom = deque.bottom;
    if (bottom - deque.top == ROOM)
        return false;
    deque.ring[bottom % ROOM] = task;
    deque.bottom = bottom + 1;
    return true;
}

static int pop(void)
{
    int bottom = deque.bottom - 1;
    deque.bottom = bottom;
    int top = deque.top;
    if (top > bottom) {
        deque.bottom = bottom + 1;
        return NOTHING;
    }
    int task = deque.ring[bottom % ROOM];
    if (top < bottom)
        return task;
    if (!atomic_compare_exchange_strong(&deque.top, &top, top + 1))
        task = NOTHING;
    deque.bottom = bottom + 1;
    return task;
}

static int steal(void)
{
    int top = deque.top;
    if (top >= deque.bottom)
        return NOTHING;
#ifdef FIXED
    int task = deque.ring[top % ROOM];
    return atomic_compare_exchange_strong(&deque.top, &top, top + 1) ? task : NOTHING;
#else
    return atomic_compare_exchange_strong(&deque.top, &top, top + 1) ? deque.ring[top % ROOM]
                                                                     : NOTHING;
#endif
}

static void run(int task)
{
    if (task != NOTHING)
        done[task]++;
}

static void *own(void *unused)
{
    for (int task = 0; task < TASKS; task++)
        while (!push(task))
            run(pop());
    int task;
    while ((task = pop()) != NOTHING)
        run(task);
    return unused;
}

static void *rob(void *unused)
{
    for (int i = 0; i < STEALS; i++)
        run(steal());
    return unused;
}

int main(void)
{
    pthread_t owner, thieves[THIEVES];
    pthread_create(&owner, NULL, own, NULL);
    for (int i = 0; i < THIEVES; i++)
        pthread_create(&thieves[i], NULL, rob, NULL);
    pthread_join(owner, NULL);
    for (int i = 0; i < THIEVES; i++)
        pthread_join(thieves[i], NULL);
    for (int i = 0; i < TASKS; i++)
        assert(done[i] == 1);
    return 0;
}
