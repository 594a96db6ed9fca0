/* sem_init, by libraries, too, before the program begins: later it must be known that it was
 * called. */
#include "runtime/engine/real.h"
#include "runtime/interpose/interpose.h"

EXPORT int sem_init(void *semaphore, int shared, unsigned value)
{
    if (running()) {
        await_wrote(&ex.me->await);
        return semaphore_init(semaphore, value, CALL_SITE);
    }
    static int (*real)(void *, int, unsigned);
    if (real == NULL)
        real = real_symbol("sem_init");
    int result = real(semaphore, shared, value);
    if (result == 0)
        semaphore_begun(semaphore);
    return result;
}
