// run: --strategy exitblock-rw
// expect: finding assertion
// expect: first_bug 3
//
// SplitSync, figure 1 of the paper on ExitBlock: an increment in two critical sections. As in Java,
// a thread that ends takes itself off a list that all have in common; without that the second
// execution fails.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t resource = PTHREAD_MUTEX_INITIALIZER, group = PTHREAD_MUTEX_INITIALIZER;
static int x, threads = 2;

static void *increment(void *argument)
{
    pthread_mutex_lock(&resource);
    int y = x;
    pthread_mutex_unlock(&resource);
    pthread_mutex_lock(&resource);
    assert(x == y);
    x = y + 1;
    pthread_mutex_unlock(&resource);
    pthread_mutex_lock(&group);
    threads--;
    pthread_mutex_unlock(&group);
    return NULL;
}

int main(void)
{
    pthread_t ids[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&ids[i], NULL, increment, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(ids[i], NULL);
    return 0;
}
