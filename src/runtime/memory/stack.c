/* Accesses to other threads' stacks: one that has ended has no memory any more
 * (detector/use_after_return.c). */
#include "runtime/engine/detectors.h"
#include "runtime/engine/object.h"
#include "runtime/memory/memory.h"

/* The first thread's stack stays as long as the process does. */
static thread_id ended_owner(const char *address)
{
    for (thread_id i = 1; i < ex.thread_count; i++)
        if (address >= rt.stacks[i].low && address < rt.stacks[i].top)
            return ex.threads[i].state == THREAD_ENDED ? i : NO_THREAD;
    return NO_THREAD;
}

static void look(const volatile void *address, size_t size, bool writes, uintptr_t site)
{
    thread_id owner = ended_owner((const char *)address);
    if (owner != NO_THREAD && detectors_ended(owner, address, size, writes, site))
        memory_fail(site);
}

void stack_look(const volatile void *address, size_t size, bool writes, uintptr_t site)
{
    if (on_own_stack(address))
        return;
    ex.me->await.wrote |= WROTE_IN_ROUND; /* its owner may write there, which is not noted */
    look(address, size, writes, site);
}

void stack_used(const volatile void *object, size_t size, bool writes, uintptr_t site)
{
    ex.memory.seen.use_on_stack = true;
    if (!on_own_stack(object))
        look(object, size, writes, site);
}

void memory_look_near(const volatile void *object, uintptr_t site)
{
    struct race_place freed;
    if (is_on_some_stack(object)) {
        stack_used(object, sizeof(int), true, site);
        return;
    }
    const void *name = (const void *)alias_name(object);
    if (rt.race_check && detecting(DETECT_HEAP) && race_freed(&ex.race, shadow_of(name), &freed))
        memory_used(object_state(object_number(object)), object, site);
}
