// A failed compare-exchange writes what it expected: a loop around it does not merely wait, although
// nothing in registers or on the stack changes. T1 runs until its exchange succeeds.
// run: -s dfs
// expect: no finding
// expect: executions 10
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int value;

static void *add(void *argument)
{
    int *expected = argument;
    while (!atomic_compare_exchange_strong(&value, expected, *expected + 10))
        ;
    return NULL;
}

static void *change(void *argument)
{
    atomic_store(&value, 1);
    atomic_store(&value, 2);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    int *expected = calloc(1, sizeof *expected);
    pthread_create(&first, NULL, add, expected);
    pthread_create(&second, NULL, change, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    free(expected);
    return 0;
}
