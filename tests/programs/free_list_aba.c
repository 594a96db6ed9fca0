// A lock-free free list of indices: between a thread's load of the top and its compare-exchange the
// other takes two entries and gives the first back, so an entry is handed out twice.
// build: gcc -O1
// build: clang -O1
// run: -s preempt -b 2
// expect: finding assertion
// expect: findings[0].preemptions == 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top = 0;
static atomic_int next[3] = {1, 2, -1};
static atomic_int taken[3];

static int pop(void)
{
    int first = atomic_load(&top), second;
    do {
        if (first < 0)
            return -1;
        second = atomic_load(&next[first]);
    } while (!atomic_compare_exchange_strong(&top, &first, second));
    assert(atomic_fetch_add(&taken[first], 1) == 0);
    return first;
}

static void push(int entry)
{
    atomic_fetch_sub(&taken[entry], 1);
    int first = atomic_load(&top);
    do
        atomic_store(&next[entry], first);
    while (!atomic_compare_exchange_strong(&top, &first, entry));
}

static void *take_two(void *unused)
{
    pop();
    pop();
    return unused;
}

static void *take_two_give_one(void *unused)
{
    int entry = pop();
    pop();
    if (entry >= 0)
        push(entry);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, take_two, NULL);
    pthread_create(&threads[1], NULL, take_two_give_one, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
