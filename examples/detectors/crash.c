/* The handler is checked and then called, and may have been removed in between. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef void handler(void);

static void nothing(void) {}
static _Atomic(handler *) on_event = nothing;

static void *remove_handler(void *unused)
{
    atomic_store(&on_event, NULL);
    return unused;
}

static void event(void)
{
#ifdef FIXED
    handler *call = atomic_load(&on_event);
    if (call != NULL)
        call();
#else
    if (atomic_load(&on_event) != NULL)
        atomic_load(&on_event)();
#endif
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, remove_handler, NULL);
    event();
    pthread_join(thread, NULL);
    return 0;
}
