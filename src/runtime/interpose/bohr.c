/* compile: LOCAL_HERE */
/* The functions of include/bohr.h, for programs that know of us, and the annotations for
 * ThreadSanitizer that mean the same. Apart from bohr_choose, bohr_happens_before and
 * bohr_happens_after none of it is a step. */
#include "runtime/memory/api.h"

#include "runtime/engine/upper.h"

/* A call that may be a step: where it comes from. */
#define CALLED                                                                                     \
    if (unlikely(rt.attention != 0)) {                                                             \
        LOCAL_HERE(local);                                                                         \
        watch_call(&local);                                                                        \
    }

EXPORT int bohr_running(void)
{
    return running();
}

EXPORT unsigned bohr_choose(unsigned outcomes)
{
    if (!running())
        return 0;
    CALLED
    return api_choose(outcomes, CALL_SITE);
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

EXPORT void bohr_happens_before(const volatile void *object)
{
    if (running()) {
        CALLED
        api_happens_before(object, CALL_SITE);
    }
}

EXPORT void bohr_happens_after(const volatile void *object)
{
    if (running()) {
        CALLED
        api_happens_after(object, CALL_SITE);
    }
}

EXPORT void bohr_benign_race(const volatile void *start, size_t size)
{
    if (running())
        api_benign_race(start, size);
}

EXPORT void __tsan_release(void *object)
{
    if (running()) {
        CALLED
        api_happens_before(object, CALL_SITE);
    }
}

EXPORT void __tsan_acquire(void *object)
{
    if (running()) {
        CALLED
        api_happens_after(object, CALL_SITE);
    }
}

EXPORT void AnnotateHappensBefore(const char *file, int line, uintptr_t object)
{
    if (running()) {
        CALLED
        api_happens_before((void *)object, CALL_SITE);
    }
}

EXPORT void AnnotateHappensAfter(const char *file, int line, uintptr_t object)
{
    if (running()) {
        CALLED
        api_happens_after((void *)object, CALL_SITE);
    }
}

EXPORT void AnnotateBenignRaceSized(const char *file, int line, uintptr_t start, size_t size,
                                    const char *why)
{
    if (running())
        api_benign_race((void *)start, size);
}

EXPORT void AnnotateBenignRace(const char *file, int line, uintptr_t start, const char *why)
{
    if (running())
        api_benign_race((void *)start, 1);
}

EXPORT void bohr_name(const volatile void *object, size_t size, const char *name)
{
    if (running())
        api_name(object, size, name);
}
