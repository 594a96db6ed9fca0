/* Two transfers between two accounts. Every access is locked, and still money disappears: the
 * balance is read in one critical section and written back in another.
 *
 * Bohr says, in short:
 *
 *     finding 1: a failed assertion: account_balance(&checking) + account_balance(&savings) == 200
 *         T0 at bank_transfer.c:92 (main)
 *         with 1 preemption
 *
 *       lines without a file are of bank_transfer.c
 *       step  T0                            T1                            T2
 *          0  create T1  :88
 *          1  create T2  :89
 *          2                                                              lock savings  :54
 *          3                                                              unlock savings  :56
 *          4                                                              lock savings  :62
 *          5                                                              unlock savings  :64
 *          6                                                              lock checking  :54
 *          7                                                              unlock checking  :56
 *                                                                         ── T2 is preempted ──
 *          8                                lock checking  :54
 *          9                                unlock checking  :56
 *         10                                lock checking  :62
 *         11                                unlock checking  :64
 *         12                                lock savings  :54
 *         13                                unlock savings  :56
 *         14                                lock savings  :62
 *         15                                unlock savings  :64
 *         16                                                              lock checking  :62
 *         17                                                              unlock checking  :64
 *         18  join T1  :90
 *         19  join T2  :91
 *         20  lock checking  :54
 *         21  unlock checking  :56
 *         22  lock savings  :54
 *         23  unlock savings  :56 ◀
 *
 * expect: finding assertion
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
