/* The price is written by one thread while another reads it, and nothing orders the two. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long price = 100;

static void *change(void *unused)
{
    pthread_mutex_lock(&lock);
    price = 120;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    long seen = price;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    printf("%ld\n", seen);
    pthread_join(thread, NULL);
    return 0;
}
