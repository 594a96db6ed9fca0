/* compile: -fexceptions */
/* pthread_once, and the guards of C++ static locals: entering is a step, enabled unless somebody is
 * inside; so is leaving. The second byte or word says that somebody is inside, as libc's does. */
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/memory/memory.h"
#include "runtime/sync/sync_calls.h"

enum { ONCE_NEVER, ONCE_INSIDE, ONCE_OVER };

/* pthread_once and C++'s statics as seen by the scheduler: a byte that is ONCE_INSIDE while a
 * thread is inside. */
bool once_can_enter(const void *inside)
{
    return *(const uint8_t *)inside != ONCE_INSIDE;
}

uint32_t once_state(const void *inside)
{
    uint8_t state = *(const uint8_t *)inside;
    return state == ONCE_INSIDE ? RWLOCK_WRITTEN : state;
}

static uint32_t enter(void *control, void *inside, uintptr_t site)
{
    uint32_t object = object_number(control);
    memory_look(inside, site);
    ex.me->mutex = inside;
    announce_on(OP_ONCE, object, site);
    memory_uses(ex.me->object, control, site);
    step_before(once_state(inside));
    return object;
}

static void leave(void *control, uintptr_t site)
{
    uint32_t object = object_number(control);
    announce_on(OP_ONCE_DONE, object, site);
    memory_uses(ex.me->object, control, site);
    step_before(RWLOCK_WRITTEN);
    step_touch(object, OP_ACCESS_WRITE);
    race_release(&ex.race, &object_state(object)->sync);
}

/* An exception left the function: it counts as never called. */
static void once_left(pthread_once_t **control)
{
    if (*control == NULL)
        return;
    race_release(&ex.race, &object_state(object_number(*control))->sync);
    **control = ONCE_NEVER;
}

int once_run(pthread_once_t *control, void (*initialise)(void), uintptr_t site)
{
    uint32_t object = enter(control, control, site);
    if (*control == ONCE_OVER) {
        step_touch(object, OP_ACCESS_READ);
        race_acquire(&ex.race, &object_state(object)->sync);
        return 0;
    }
    step_touch(object, OP_ACCESS_WRITE);
    race_acquire(&ex.race, &object_state(object)->sync); /* an attempt before may have failed */
    *control = ONCE_INSIDE;
    __attribute__((cleanup(once_left))) pthread_once_t *open = control;
    initialise();
    open = NULL;
    leave(control, site);
    *control = ONCE_OVER;
    return 0;
}

/* The guard's first byte: initialised. Its second: a thread is inside, or was. */
int guard_acquire(uint8_t *guard, uintptr_t site)
{
    uint32_t object = enter(guard, guard + 1, site);
    if (guard[0] != 0) {
        step_touch(object, OP_ACCESS_READ);
        race_acquire(&ex.race, &object_state(object)->sync);
        return 0;
    }
    step_touch(object, OP_ACCESS_WRITE);
    race_acquire(&ex.race, &object_state(object)->sync);
    guard[1] = ONCE_INSIDE;
    return 1;
}

void guard_release(uint8_t *guard, uintptr_t site)
{
    leave(guard, site);
    guard[0] = 1;
    guard[1] = ONCE_OVER;
}

void guard_abort(uint8_t *guard, uintptr_t site)
{
    leave(guard, site);
    guard[1] = 0;
}
