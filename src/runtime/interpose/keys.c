/* Thread-specific data. Not rows of the table: a thread that only looks at such a value may be in a
 * loop that waits for something else. */
#include <pthread.h>
#include <threads.h>

#include "runtime/interpose/interpose.h"
#include "runtime/memory/shared_state.h"
#include "runtime/sync/key_values.h"

/* The value is the thread's own, but another one may delete the key. */
static void uses_key(pthread_key_t key, uintptr_t site)
{
    shared_state_of_key(key, false, site);
    key_check(key, site);
}

EXPORT void *pthread_getspecific(pthread_key_t key)
{
    if (running())
        uses_key(key, CALL_SITE);
    return key_value(key);
}

EXPORT int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (running())
        uses_key(key, CALL_SITE);
    return key_set_value(key, value);
}

EXPORT void *tss_get(tss_t key)
{
    if (running())
        uses_key(key, CALL_SITE);
    return key_value(key);
}

EXPORT int tss_set(tss_t key, void *value)
{
    if (running())
        uses_key(key, CALL_SITE);
    return key_set_value(key, value) == 0 ? thrd_success : thrd_error;
}
