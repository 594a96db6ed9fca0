/* The thread that sees the answer destroys the request's lock, which the other may still hold. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock;
static atomic_int answered;

static void *answer(void *unused)
{
    pthread_mutex_lock(&lock);
    atomic_store(&answered, 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, answer, NULL);
    int early = 0;
#ifndef FIXED
    early = atomic_load(&answered);
    if (early)
        pthread_mutex_destroy(&lock);
#endif
    pthread_join(thread, NULL);
    if (!early)
        pthread_mutex_destroy(&lock);
    return 0;
}
