/* The last user of a shared block frees it, while it still holds the lock inside. */
#include <pthread.h>
#include <stdlib.h>

struct shared {
    pthread_mutex_t lock;
    int users;
};

static void *leave(void *argument)
{
    struct shared *shared = argument;
    pthread_mutex_lock(&shared->lock);
    int last = --shared->users == 0;
#ifdef FIXED
    pthread_mutex_unlock(&shared->lock);
    if (last)
        free(shared);
#else
    if (last)
        free(shared);
    else
        pthread_mutex_unlock(&shared->lock);
#endif
    return NULL;
}

int main(void)
{
    struct shared *shared = malloc(sizeof *shared);
    pthread_mutex_init(&shared->lock, NULL);
    shared->users = 2;
    pthread_t thread;
    pthread_create(&thread, NULL, leave, shared);
    leave(shared);
    pthread_join(thread, NULL);
    return 0;
}
