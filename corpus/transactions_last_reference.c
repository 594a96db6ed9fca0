// A transaction manager keeps a reference count in each transaction: one for the table, one for a
// timer thread that looks at it. The thread that drops the last one frees it; but a delete drops its own
// and asks afterwards whether that was the last. If it was not, the timer may have dropped the last
// one meanwhile, and what is asked is gone.
// group: cbound
// threads: 3
// finds: use-after-free, double-free
// lines: 36 73
// pb: 2
// db: 3
// options: --exit wait
// variants: transactions_last_reference
// variants: transactions_last_reference_fixed -DFIXED
// finds transactions_last_reference_fixed: nothing
// pb transactions_last_reference_fixed: -
// db transactions_last_reference_fixed: -
// twin: transactions_last_reference_fixed
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct transaction {
    atomic_int references;
    atomic_bool aborted;
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct transaction *in_flight; /* the table: one transaction, or NULL */

static void release(struct transaction *transaction)
{
    if (atomic_fetch_sub(&transaction->references, 1) == 1)
        free(transaction);
}

static void create(void)
{
    struct transaction *transaction = calloc(1, sizeof *transaction);
    assert(transaction != NULL);
    transaction->references = 1;
    pthread_mutex_lock(&table_lock);
    in_flight = transaction;
    pthread_mutex_unlock(&table_lock);
}

static void *flush(void *unused)
{
    pthread_mutex_lock(&table_lock);
    struct transaction *transaction = in_flight;
    if (transaction != NULL)
        atomic_fetch_add(&transaction->references, 1);
    pthread_mutex_unlock(&table_lock);
    if (transaction != NULL) {
        transaction->aborted = true;
        release(transaction);
    }
    return unused;
}

static void *remove_it(void *unused)
{
    pthread_mutex_lock(&table_lock);
    struct transaction *transaction = in_flight;
    in_flight = NULL;
    pthread_mutex_unlock(&table_lock);
#ifdef FIXED
    release(transaction);
#else
    atomic_fetch_sub(&transaction->references, 1);
    if (atomic_load(&transaction->references) == 0)
        free(transaction);
#endif
    return unused;
}

int main(void)
{
    create();
    pthread_t operation, timer;
    pthread_create(&operation, NULL, remove_it, NULL);
    pthread_create(&timer, NULL, flush, NULL);
    pthread_join(operation, NULL);
    pthread_join(timer, NULL);
    return 0;
}
