// Once money was both paid in and taken out, the checker compares the balance with a sum that has
// one sign wrong. It is started first, so it must come last; main does not wait for anybody.
// group: cs
// threads: 4
// finds: assertion
// lines: 25
// pb: 0
// db: 1
// options: --exit wait
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { OPENING = 10, PAID_IN = 5, TAKEN_OUT = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = OPENING;
static bool paid, taken;

static void *check(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (paid && taken)
        assert(balance == OPENING - PAID_IN - TAKEN_OUT);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *withdraw(void *unused)
{
    pthread_mutex_lock(&mutex);
    balance -= TAKEN_OUT;
    taken = true;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *deposit(void *unused)
{
    pthread_mutex_lock(&mutex);
    balance += PAID_IN;
    paid = true;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t checker, taker, payer;
    pthread_create(&checker, NULL, check, NULL);
    pthread_create(&taker, NULL, withdraw, NULL);
    pthread_create(&payer, NULL, deposit, NULL);
    return 0;
}
