// Three transfers between three accounts, in a circle. Each locks the account that it takes from and then the
// one that it gives to; if each has its first lock, all wait in a circle.
// group: idioms
// threads: 4
// finds: deadlock
// lines: 38 39
// pb: 1
// db: 2
// options: --exit wait
// variants: three_locks
// variants: three_locks_fixed -DFIXED
// finds three_locks_fixed: nothing
// pb three_locks_fixed: -
// db three_locks_fixed: -
// twin: three_locks_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { ACCOUNTS = 3, BEGIN = 100 };

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account accounts[ACCOUNTS];

static void transfer(struct account *from, struct account *to, int amount)
{
    struct account *first = from, *second = to;
#ifdef FIXED
    if (first > second) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *pay_next(void *argument)
{
    int self = *(int *)argument;
    transfer(&accounts[self], &accounts[(self + 1) % ACCOUNTS], 10);
    return NULL;
}

int main(void)
{
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = BEGIN;
    }
    pthread_t payers[ACCOUNTS];
    int numbers[ACCOUNTS];
    for (int i = 0; i < ACCOUNTS; i++) {
        numbers[i] = i;
        pthread_create(&payers[i], NULL, pay_next, &numbers[i]);
    }
    for (int i = 0; i < ACCOUNTS; i++)
        pthread_join(payers[i], NULL);
    for (int i = 0; i < ACCOUNTS; i++)
        assert(accounts[i].balance == BEGIN);
    return 0;
}
