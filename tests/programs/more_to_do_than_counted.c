// The timer's second critical section comes only after a schedule that the walks by which surw
// counts operations seldom take: it must have its turn all the same. Three preemptions show it.
// run: -s surw -n 3000
// expect: finding assertion
// run: -s preempt
// expect: finding assertion
// expect: claim.value == 2
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum state { NONE, ACTIVE, MARKED, ABORTED, BUSY, DONE };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum state state;

static enum state change(enum state from, enum state to)
{
    pthread_mutex_lock(&lock);
    enum state before = state;
    if (state == from)
        state = to;
    pthread_mutex_unlock(&lock);
    return before;
}

static void *operate(void *unused)
{
    change(NONE, ACTIVE);
    enum state first = change(ACTIVE, BUSY), second = change(BUSY, DONE);
    assert(!(first == MARKED && second == ABORTED));
    return unused;
}

static void *flush(void *unused)
{
    if (change(ACTIVE, MARKED) == ACTIVE)
        change(MARKED, ABORTED);
    return unused;
}

int main(void)
{
    pthread_t operation, timer;
    pthread_create(&operation, NULL, operate, NULL);
    pthread_create(&timer, NULL, flush, NULL);
    pthread_join(operation, NULL);
    pthread_join(timer, NULL);
    return 0;
}
