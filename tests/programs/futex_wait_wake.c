// A waiter and a waker over one word. Steps: waiter W1 compares and sleeps or fails, W2 is woken;
// main stores, wakes, joins, exits (the create is the first step). All orders of W1 against store and
// wake: W1 before the store: sleeps, woken (W2 comes after the wake: before main's join, the only
// place); W1 between store and wake, and after the wake: EAGAIN. 3 executions.
// build: gcc -O1
// build: clang -O1
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 3
// run: -s random -n 50
// expect: no finding
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int slept;

static long futex(atomic_int *at, int operation, int value)
{
    return syscall(SYS_futex, at, operation, value, NULL, NULL, 0);
}

static void *wait_for_it(void *unused)
{
    long result = futex(&word, FUTEX_WAIT_PRIVATE, 0);
    if (result == 0)
        slept = 1;
    else
        assert(result == -1 && errno == EAGAIN);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    atomic_store(&word, 1);
    long woken = futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX);
    pthread_join(thread, NULL);
    assert(woken == slept);
    return 0;
}
