/* Barriers: to arrive is one step; to leave is another, possible once all have arrived. The last to
 * arrive is the serial thread. Leaving does not look at the barrier, which may be destroyed by
 * then. */
#include <errno.h>
#include <string.h>

#include "runtime/engine/misuse.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/memory/memory.h"
#include "runtime/sync/sync_calls.h"

struct barrier { /* as glibc lays it out, but for the mark */
    uint32_t in, round, count, shared, out, reserved;
    uint64_t mark;
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "inside the program's own");

static bool waits_at(thread_id thread, const pthread_barrier_t *barrier)
{
    const struct thread *who = &ex.threads[thread];
    return who->time.asleep == OP_BARRIER_LEAVE && alias_same(who->cond, barrier) &&
           !who->signalled;
}

static thread_id waiter_at(const pthread_barrier_t *barrier)
{
    THREADS_EACH(thread, &ex.live)
    if (waits_at(thread, barrier))
        return thread;
    return NO_THREAD;
}

static void open_for_all(pthread_barrier_t *barrier)
{
    struct sync *arrived = execution_take(sizeof *arrived), *sync;
    sync = &object_state(object_number(barrier))->sync;
    *arrived = *sync;
    *sync = (struct sync){0}; /* those who come next begin another round */
    ex.me->sync.barrier_arrived = arrived;
    ((struct barrier *)barrier)->in = 0;
    THREADS_EACH(thread, &ex.live)
    if (waits_at(thread, barrier)) {
        ex.threads[thread].signalled = true;
        ex.threads[thread].sync.barrier_arrived = arrived;
        thread_depends(thread, ex.current);
    }
}

int barrier_wait(pthread_barrier_t *barrier, uintptr_t site)
{
    struct barrier *state = (struct barrier *)barrier;
    struct thread *me = ex.me;
    uint32_t object = object_number(barrier);
    memory_look(barrier, site);
    announce_on(OP_BARRIER_ARRIVE, object, site);
    memory_uses(ex.me->object, barrier, site);
    if (unlikely(state->mark == MARK_ENDED || state->count == 0)) /* none is for nobody */
        misuse_of_dead(BARRIER_NOUN, barrier, site);
    step_touch(object, OP_ACCESS_WRITE);
    race_release_more(&ex.race, &object_state(object)->sync);
    bool last = ++state->in >= state->count;
    if (last)
        open_for_all(barrier);
    me->signalled = last;
    me->cond = barrier;
    me->time.asleep = OP_BARRIER_LEAVE;
    announce_on(OP_BARRIER_LEAVE, object, site);
    me->time.asleep = 0;
    step_note(me->fact);
    me->cond = NULL;
    me->signalled = false;
    race_acquire(&ex.race, me->sync.barrier_arrived);
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int barrier_init(pthread_barrier_t *barrier, unsigned count, uintptr_t site)
{
    if (count == 0 || count > INT32_MAX)
        return EINVAL;
    memory_access(barrier, sizeof *barrier, true, site);
    struct barrier *state = (struct barrier *)barrier;
    thread_id waiter = waiter_at(barrier);
    if (waiter != NO_THREAD)
        misuse_with(BARRIER_NOUN, "is initialised that a thread waits at", barrier, site, waiter,
                    ex.pending[waiter].site);
    life_begin(BARRIER_NOUN, barrier, state->mark == MARK_BEGUN, site);
    memset(barrier, 0, sizeof *barrier);
    state->count = count;
    state->mark = MARK_BEGUN;
    return 0;
}

int barrier_destroy(pthread_barrier_t *barrier, uintptr_t site)
{
    memory_access(barrier, sizeof *barrier, true, site);
    struct barrier *state = (struct barrier *)barrier;
    thread_id waiter = waiter_at(barrier);
    if (waiter != NO_THREAD) {
        misuse_with(BARRIER_NOUN, "is destroyed that a thread waits at", barrier, site, waiter,
                    ex.pending[waiter].site);
        return EBUSY;
    }
    life_end(BARRIER_NOUN, barrier, state->mark == MARK_ENDED, site);
    state->mark = MARK_ENDED;
    return 0;
}
