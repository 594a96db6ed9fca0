/* The size of a message is published before it is set. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message {
    atomic_int size;
    char text[8];
};

static _Atomic(struct message *) box;

static void *send(void *unused)
{
    struct message *message = malloc(sizeof *message);
#ifdef FIXED
    atomic_store(&message->size, 0);
    atomic_store(&box, message);
#else
    atomic_store(&box, message);
    atomic_store(&message->size, 0);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, send, NULL);
    struct message *message = atomic_load(&box);
    int size = message != NULL ? atomic_load(&message->size) : 0;
    pthread_join(thread, NULL);
    free(box);
    return size == 1;
}
