/* Two transfers between two accounts. Every access is locked, and still money disappears: the
 * balance is read in one critical section and written back in another.
 *
 * Bohr says, in short:
 *
 *     finding 1: a failed assertion: in T0 (main, bank_transfer.c:92) this does not hold:
 *         account_balance(&checking) + account_balance(&savings) == 200
 *         the preemption that matters: T1 before it locked checking.lock at line 62
 *
 *       lines without a file are of bank_transfer.c
 *       step  T0                            T1                            T2
 *          0  create T1  :88
 *          1  create T2  :89
 *          2                                lock checking.lock  :54
 *          3                                unlock checking.lock  :56
 *                                           ── T1 is preempted ──
 *          4                                                              lock savings.lock  :54
 *          5                                                              unlock savings.lock  :56
 *          6                                                              lock savings.lock  :62
 *          7                                                              unlock savings.lock  :64
 *          8                                                              lock checking.lock  :54
 *          9                                                              unlock checking.lock  :56
 *         10                                                              lock checking.lock  :62
 *         11                                                              unlock checking.lock  :64
 *         12                                lock checking.lock  :62
 *         13                                unlock checking.lock  :64
 *         14                                lock savings.lock  :54
 *         15                                unlock savings.lock  :56
 *         16                                lock savings.lock  :62
 *         17                                unlock savings.lock  :64
 *         18  join T1  :90
 *         19  join T2  :91
 *         20  lock checking.lock  :54
 *         21  unlock checking.lock  :56
 *         22  lock savings.lock  :54
 *         23  unlock savings.lock  :56 ◀
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
