// run: --strategy exitblock-dd --detect -lock-order
// expect: finding deadlock
//
// run: --strategy exitblock-rwdd --detect -lock-order
// expect: no finding
// expect: claim.kind == blocks
//
// run: --strategy exitblock --detect -lock-order
// expect: no finding
// expect: executions 5
//
// Figure 10 of the paper on ExitBlock: no order of atomic blocks comes to the deadlock. Reverse
// lock chains predict it, but not from the orders that are left when only those count in which
// something is read or written. (The detector of lock orders looks at each execution by itself, and
// would tell in all of them.)
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *second(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void)
{
    pthread_t ids[2];
    pthread_create(&ids[0], NULL, first, NULL);
    pthread_create(&ids[1], NULL, second, NULL);
    pthread_join(ids[0], NULL);
    pthread_join(ids[1], NULL);
    return 0;
}
