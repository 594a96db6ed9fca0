/* Two transfers between two accounts. Every access is locked, and still money disappears: the
 * balance is read in one critical section and written back in another.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account checking = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100};

static int account_balance(struct account *account)
{
    pthread_mutex_lock(&account->lock);
    int balance = account->balance;
    pthread_mutex_unlock(&account->lock);
    return balance;
}

static void account_set(struct account *account, int balance)
{
    pthread_mutex_lock(&account->lock);
    account->balance = balance;
    pthread_mutex_unlock(&account->lock);
}

static void transfer(struct account *from, struct account *to, int amount)
{
    account_set(from, account_balance(from) - amount);
    account_set(to, account_balance(to) + amount);
}

static void *save(void *unused)
{
    transfer(&checking, &savings, 30);
    return unused;
}

static void *spend(void *unused)
{
    transfer(&savings, &checking, 50);
    return unused;
}

int main(void)
{
    pthread_t saver, spender;
    pthread_create(&saver, NULL, save, NULL);
    pthread_create(&spender, NULL, spend, NULL);
    pthread_join(saver, NULL);
    pthread_join(spender, NULL);
    assert(account_balance(&checking) + account_balance(&savings) == 200);
    return 0;
}
