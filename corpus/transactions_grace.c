// The timer thread of a transaction manager marks what has expired, and aborts later what still
// bears the mark. A commit that finds the mark is let through, as a grace, but leaves the mark
// where it is: while it writes its log the timer aborts the transaction, which ends both committed
// and undone.
// group: cbound
// threads: 3
// finds: assertion
// lines: 38 77
// pb: 3
// db: 3
// options: --exit wait
// variants: transactions_grace
// variants: transactions_grace_fixed -DFIXED
// finds transactions_grace_fixed: nothing
// pb transactions_grace_fixed: -
// db transactions_grace_fixed: -
// twin: transactions_grace_fixed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum state { NONE, ACTIVE, EXPIRING, COMMITTING, COMMITTED, ABORTED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state state;
static bool logged, undone;

static void create(void)
{
    pthread_mutex_lock(&lock);
    state = ACTIVE;
    pthread_mutex_unlock(&lock);
}

static bool commit_begin(void)
{
    pthread_mutex_lock(&lock);
    bool allowed = state == ACTIVE || state == EXPIRING;
#ifdef FIXED
    if (allowed)
        state = COMMITTING;
#else
    if (state == ACTIVE)
        state = COMMITTING;
#endif
    pthread_mutex_unlock(&lock);
    return allowed;
}

static void commit_end(void)
{
    pthread_mutex_lock(&lock);
    logged = true;
    state = COMMITTED;
    pthread_mutex_unlock(&lock);
}

static void *operate(void *unused)
{
    create();
    if (commit_begin())
        commit_end();
    return unused;
}

static void *flush(void *unused)
{
    pthread_mutex_lock(&lock);
    bool marked = state == ACTIVE;
    if (marked)
        state = EXPIRING;
    pthread_mutex_unlock(&lock);
    if (!marked)
        return unused;

    pthread_mutex_lock(&lock);
    if (state == EXPIRING) {
        undone = true;
        state = ABORTED;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t operation, timer;
    pthread_create(&operation, NULL, operate, NULL);
    pthread_create(&timer, NULL, flush, NULL);
    pthread_join(operation, NULL);
    pthread_join(timer, NULL);
    assert(!(logged && undone));
    return 0;
}
