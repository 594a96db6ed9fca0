/* Barriers: to arrive is one step; to leave is another, possible once all have arrived. Whoever
 * arrived last is told so. Leaving does not look at the barrier, which may be destroyed by then. */
#include <errno.h>
#include <string.h>

#include "runtime/interpose/interpose.h"
#include "runtime/memory/memory.h"
#include "runtime/object.h"
#include "runtime/scheduler.h"

struct barrier { /* as glibc lays it out */
    uint32_t in, round, count, shared, out;
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "inside the program's own");

static bool waits_at(thread_id thread, const pthread_barrier_t *barrier)
{
    const struct thread *who = &ex.threads[thread];
    return who->asleep == OP_BARRIER_LEAVE && who->cond == barrier && !who->signalled;
}

static void open_for_all(pthread_barrier_t *barrier)
{
    ((struct barrier *)barrier)->in = 0;
    THREADS_EACH(thread, &ex.live)
        if (waits_at(thread, barrier)) {
            ex.threads[thread].signalled = true;
            thread_depends(thread, ex.current);
        }
}

int barrier_wait(pthread_barrier_t *barrier, uintptr_t site)
{
    struct barrier *state = (struct barrier *)barrier;
    struct thread *me = ex.me;
    uint32_t object = object_number(barrier);
    announce_on(OP_BARRIER_ARRIVE, object, site);
    step_touch(object, OP_ACCESS_WRITE);
    race_release_more(&ex.race, &object_state(object)->sync);
    bool last = ++state->in >= state->count;
    if (last)
        open_for_all(barrier);
    me->signalled = last;
    me->cond = barrier;
    me->asleep = OP_BARRIER_LEAVE;
    announce_on(OP_BARRIER_LEAVE, object, site);
    me->asleep = 0;
    step_note(me->fact);
    me->cond = NULL;
    me->signalled = false;
    race_acquire(&ex.race, &object_state(object)->sync);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int barrier_init(pthread_barrier_t *barrier, unsigned count, uintptr_t site)
{
    if (count == 0 || count > INT32_MAX)
        return EINVAL;
    memory_access(barrier, sizeof *barrier, true, site);
    memset(barrier, 0, sizeof *barrier);
    ((struct barrier *)barrier)->count = count;
    return 0;
}

int barrier_destroy(pthread_barrier_t *barrier, uintptr_t site)
{
    memory_access(barrier, sizeof *barrier, true, site);
    return ((const struct barrier *)barrier)->in > 0 ? EBUSY : 0;
}
