/* A thread looks whether there is an item, and only then takes the lock and waits for one. If the item
 * and its signal come in between, nobody wakes it any more. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static int items;

static void *make(void *unused)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&made);
    pthread_mutex_unlock(&lock);
    return unused;
}

static int count_items(void)
{
    pthread_mutex_lock(&lock);
    int count = items;
    pthread_mutex_unlock(&lock);
    return count;
}

static void wait_for_item(void)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    while (items == 0)
        pthread_cond_wait(&made, &lock);
    pthread_mutex_unlock(&lock);
#else
    if (count_items() == 0) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&made, &lock);
        pthread_mutex_unlock(&lock);
    }
#endif
}

int main(void)
{
    pthread_t maker;
    pthread_create(&maker, NULL, make, NULL);
    wait_for_item();
    pthread_join(maker, NULL);
    return count_items() != 1;
}
