/* A list with room for two: whether there is room is looked at before the lock is taken. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ROOM = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *list;
static atomic_int count;

static void *append(void *unused)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    if (count < ROOM)
        list[count++] = 1;
    pthread_mutex_unlock(&lock);
#else
    if (count < ROOM) {
        pthread_mutex_lock(&lock);
        list[count++] = 1;
        pthread_mutex_unlock(&lock);
    }
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    list = calloc(ROOM, sizeof *list);
    append(NULL);
    pthread_create(&thread, NULL, append, NULL);
    append(NULL);
    pthread_join(thread, NULL);
    free(list);
    return 0;
}
