/* Every access to the balance has its lock, but between reading and writing it is given back. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *unused)
{
    pthread_mutex_lock(&lock);
    int seen = balance;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    balance = seen + 10;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, deposit, NULL);
    deposit(NULL);
    pthread_join(thread, NULL);
    return 0;
}
