/* Each queue has its lock, and the total is kept under whichever of them is held just then. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t small = PTHREAD_MUTEX_INITIALIZER, large = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
#define LARGE (&small)
#else
#define LARGE (&large)
#endif
static int total;

static void *add_large(void *unused)
{
    pthread_mutex_lock(LARGE);
    total += 100;
    pthread_mutex_unlock(LARGE);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&small);
    total = 1;
    pthread_mutex_unlock(&small);
    pthread_create(&thread, NULL, add_large, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&small);
    int seen = total;
    pthread_mutex_unlock(&small);
    return seen != 101;
}
