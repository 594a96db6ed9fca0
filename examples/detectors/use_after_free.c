/* The last thread that drops a buffer frees it. But each of them looks at the count once more after it has
 * given up its own share. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buffer {
    atomic_int users;
    char text[16];
};

static void *drop(void *argument)
{
    struct buffer *buffer = argument;
#ifdef FIXED
    if (atomic_fetch_sub(&buffer->users, 1) == 1)
        free(buffer);
#else
    atomic_fetch_sub(&buffer->users, 1);
    if (atomic_load(&buffer->users) == 0)
        free(buffer);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    struct buffer *buffer = calloc(1, sizeof *buffer);
    atomic_init(&buffer->users, 2);
    pthread_create(&thread, NULL, drop, buffer);
    drop(buffer);
    pthread_join(thread, NULL);
    return 0;
}
