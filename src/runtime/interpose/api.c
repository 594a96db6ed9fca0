/* What include/bohr.h declares, for programs that know of us. Apart from bohr_choose none of it is
 * a step. */
#include "runtime/model/api.h"

EXPORT int bohr_running(void)
{
    return running();
}

EXPORT unsigned bohr_choose(unsigned outcomes)
{
    return running() ? api_choose(outcomes, CALL_SITE) : 0;
}

EXPORT void bohr_atomic_begin(void)
{
    if (running())
        api_atomic_begin();
}

EXPORT void bohr_atomic_end(void)
{
    if (running())
        api_atomic_end(CALL_SITE);
}

EXPORT void bohr_ignore_begin(void)
{
    if (running())
        api_ignore_begin();
}

EXPORT void bohr_ignore_end(void)
{
    if (running())
        api_ignore_end(CALL_SITE);
}

EXPORT void bohr_name(const volatile void *object, size_t size, const char *name)
{
    if (running())
        api_name(object, size, name);
}
