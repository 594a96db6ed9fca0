// Accounts with a lock each, which a transfer takes by rising number. A statement holds the lock of
// the customer while it reads the accounts; closing an account holds the account and then takes
// the lock of its customer to take it off the list: the two may wait for each other.
// group: large
// threads: 5
// finds: deadlock
// lines: 71 72
// pb: 1
// db: 1
// options: --exit wait
// variants: bank_transfers
// variants: bank_transfers_fixed -DFIXED
// finds bank_transfers_fixed: nothing
// pb bank_transfers_fixed: -
// db bank_transfers_fixed: -
// twin bank_transfers: bank_transfers_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CUSTOMERS = 2, ACCOUNTS = 6, TRANSFERS = 8, STATEMENTS = 2 };

static struct account {
    pthread_mutex_t lock;
    bool closed;
    int balance;
} accounts[ACCOUNTS];

static struct customer {
    pthread_mutex_t lock;
    bool has[ACCOUNTS];
} customers[CUSTOMERS];

static void transfer(int from, int to, int amount)
{
    struct account *low = &accounts[from < to ? from : to];
    struct account *high = &accounts[from < to ? to : from];
    pthread_mutex_lock(&low->lock);
    pthread_mutex_lock(&high->lock);
    if (!low->closed && !high->closed) {
        accounts[from].balance -= amount;
        accounts[to].balance += amount;
    }
    pthread_mutex_unlock(&high->lock);
    pthread_mutex_unlock(&low->lock);
}

static int statement(struct customer *customer)
{
    int sum = 0;
    pthread_mutex_lock(&customer->lock);
    for (int i = 0; i < ACCOUNTS; i++)
        if (customer->has[i]) {
            pthread_mutex_lock(&accounts[i].lock);
            sum += accounts[i].balance;
            pthread_mutex_unlock(&accounts[i].lock);
        }
    pthread_mutex_unlock(&customer->lock);
    return sum;
}

static void close_account(struct customer *customer, int number)
{
    struct account *account = &accounts[number];
#ifdef FIXED
    pthread_mutex_lock(&customer->lock);
    pthread_mutex_lock(&account->lock);
#else
    pthread_mutex_lock(&account->lock);
    pthread_mutex_lock(&customer->lock);
#endif
    account->closed = true;
    customer->has[number] = false;
    pthread_mutex_unlock(&customer->lock);
    pthread_mutex_unlock(&account->lock);
}

static void *transfer_often(void *number)
{
    int seed = (int)(intptr_t)number;
    for (int i = 0; i < TRANSFERS; i++)
        transfer((seed + i) % ACCOUNTS, (seed + i + 1 + i % 3) % ACCOUNTS, 1);
    return NULL;
}

static void *clerk(void *unused)
{
    for (int i = 0; i < STATEMENTS; i++)
        for (int k = 0; k < CUSTOMERS; k++)
            statement(&customers[k]);
    return unused;
}

static void *manager(void *unused)
{
    close_account(&customers[0], 4);
    close_account(&customers[1], 5);
    return unused;
}

int main(void)
{
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_mutex_init(&customers[i].lock, NULL);
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        customers[i % CUSTOMERS].has[i] = true;
    }
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, transfer_often, (void *)0);
    pthread_create(&threads[1], NULL, transfer_often, (void *)3);
    pthread_create(&threads[2], NULL, clerk, NULL);
    pthread_create(&threads[3], NULL, manager, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        sum += accounts[i].balance;
        pthread_mutex_destroy(&accounts[i].lock);
    }
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_mutex_destroy(&customers[i].lock);
    assert(sum == 0);
    return 0;
}
