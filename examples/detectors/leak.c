/* A thread that finds no cache makes one. If both find none, the first of the two is lost. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) cache;

static void *fill(void *unused)
{
    if (atomic_load(&cache) == NULL) {
#ifdef FIXED
        char *mine = malloc(8), *none = NULL;
        if (!atomic_compare_exchange_strong(&cache, &none, mine))
            free(mine);
#else
        atomic_store(&cache, malloc(8));
#endif
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, fill, NULL);
    fill(NULL);
    pthread_join(thread, NULL);
    return 0;
}
