// A free list of buffers as a lock-free stack of indices. While one thread is between reading the
// top with its successor and exchanging them, another takes two buffers and gives the first one
// back: the top is the same again, the exchange succeeds, and the second buffer, still in use, is
// free once more. A version beside the index repairs it.
// group: idioms
// threads: 3
// finds: assertion
// lines: 42 48 59
// pb: 1
// db: 2
// options: --exit wait
// variants: aba_stack
// variants: aba_stack_fixed -DFIXED
// finds aba_stack_fixed: nothing
// pb aba_stack_fixed: -
// db aba_stack_fixed: -
// twin: aba_stack_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { BUFFERS = 3, NONE = 0 };

static _Atomic uint64_t top;          /* the index below, a version above */
static atomic_uint next[BUFFERS + 1]; /* buffers are 1..BUFFERS */
static atomic_int users[BUFFERS + 1];

static uint64_t top_after(uint64_t old, unsigned index)
{
#ifdef FIXED
    return ((old >> 32) + 1) << 32 | index;
#else
    (void)old;
    return index;
#endif
}

static unsigned buffer_take(void)
{
    uint64_t old = top;
    unsigned index;
    do {
        index = (unsigned)old;
        if (index == NONE)
            return NONE;
    } while (!atomic_compare_exchange_strong(&top, &old, top_after(old, next[index])));
    assert(atomic_fetch_add(&users[index], 1) == 0);
    return index;
}

static void buffer_give(unsigned index)
{
    atomic_fetch_sub(&users[index], 1);
    uint64_t old = top;
    do {
        next[index] = (unsigned)old;
    } while (!atomic_compare_exchange_strong(&top, &old, top_after(old, index)));
}

static void *keep_one(void *unused)
{
    unsigned first = buffer_take();
    buffer_take();
    if (first != NONE)
        buffer_give(first);
    return unused;
}

static void *use_two(void *unused)
{
    unsigned first = buffer_take(), second = buffer_take();
    if (second != NONE)
        buffer_give(second);
    if (first != NONE)
        buffer_give(first);
    return unused;
}

int main(void)
{
    for (unsigned i = 1; i <= BUFFERS; i++) {
        users[i] = 1;
        buffer_give(i);
    }
    pthread_t keeper, user;
    pthread_create(&keeper, NULL, keep_one, NULL);
    pthread_create(&user, NULL, use_two, NULL);
    pthread_join(keeper, NULL);
    pthread_join(user, NULL);
    return 0;
}
