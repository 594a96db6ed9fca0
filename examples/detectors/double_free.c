/* A thread that finds the session open closes it. Looking and closing are not one operation, so both may. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) session;

static void *close_session(void *unused)
{
#ifdef FIXED
    free(atomic_exchange(&session, NULL));
#else
    char *open = atomic_load(&session);
    if (open != NULL) {
        free(open);
        atomic_store(&session, NULL);
    }
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    atomic_store(&session, malloc(16));
    pthread_create(&thread, NULL, close_session, NULL);
    close_session(NULL);
    pthread_join(thread, NULL);
    return 0;
}
