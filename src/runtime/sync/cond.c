/* Condition variables. A wait is two steps: release and sleep; then, once signalled and with the
 * mutex free, take it again. A timed wait can do so without a signal: that is its timeout. If the
 * mutex is not free then, taking it is a third step, and a signal that comes in between finds the
 * thread no longer there. Who waits is known from the threads themselves; of the program's
 * pthread_cond_t only one word is used, which says what clock it waits on and whether it was
 * destroyed. */
#include <errno.h>
#include <string.h>

#include "runtime/engine/fiber.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/memory.h"
#include "runtime/progress/lock_poll.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/timeout.h"

/* In __wrefs, the first two as libc has them: that it was initialised by a call is told by a bit
 * that does no harm should the program's child go on with libc. */
enum { BEGUN_BIT = 1, MONOTONIC_BIT = 2, FLAGS = 3, ENDED = 0x5dead000 };

static bool waits_on(thread_id thread, const pthread_cond_t *cond)
{
    const struct thread *who = &ex.threads[thread];
    return who->time.asleep == OP_COND_WAKE && alias_same(who->cond, cond) && !who->signalled &&
           !who->cancel.woken;
}

static void check(const pthread_cond_t *cond, uintptr_t site)
{
    if (unlikely((cond->__data.__wrefs & ~FLAGS) != 0)) /* or it never was one */
        misuse_of_dead(COND_NOUN, cond, site);
}

static thread_id waiter_on(const pthread_cond_t *cond)
{
    THREADS_EACH(thread, &ex.live)
    if (waits_on(thread, cond))
        return thread;
    return NO_THREAD;
}

/* While a thread is blocked no other mutex may be used. Which one it has is not known while it
 * handles signals. */
static void check_mutex(const pthread_cond_t *cond, const pthread_mutex_t *mutex, uintptr_t site)
{
    thread_id other = waiter_on(cond);
    if (other != NO_THREAD && ex.pending[other].kind == OP_COND_WAKE &&
        ex.threads[other].mutex != mutex)
        misuse_with(COND_NOUN, "is waited on with two mutexes", cond, site, other,
                    ex.pending[other].site);
}

static uint16_t count_waiters(const pthread_cond_t *cond)
{
    uint16_t count = 0;
    THREADS_EACH(thread, &ex.live)
    count += waits_on(thread, cond);
    return count;
}

/* A spurious wake-up is decided on when the thread goes to sleep: it then stands among the waiters
 * no longer. Where it comes later no signal was meant for the thread until then, so that nobody can
 * tell the difference. How many are left is an object of its own: each wait reads it, and one that
 * wakes up spuriously writes it. */
RETURNS_AS_USUAL uint16_t cond_wait_choices(void)
{
    return ex.sync.spurious < rt.options->spurious ? 2 : 1;
}

static bool wakes_spuriously(void)
{
    the_board->flight.waits = 1;
    if (rt.options->spurious == 0)
        return false;
    bool spurious = step_choice() != 0;
    ex.sync.spurious += spurious;
    step_touch(SPURIOUS_OBJECT, spurious ? OP_ACCESS_WRITE : OP_ACCESS_READ);
    return spurious;
}

static int wait_for(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timeout *timeout,
                    uintptr_t site)
{
    struct thread *me = ex.me;
    uint32_t object = object_number(cond);
    uint32_t second = object_number(mutex);
    memory_look(cond, site);
    memory_look(mutex, site);
    me->mutex = mutex;
    announce((struct op){.kind = OP_COND_WAIT,
                         .choices = cond_wait_choices(),
                         .object = object,
                         .second = second,
                         .site = site});
    memory_uses(ex.me->object, cond, site);
    memory_uses(object_state(second), mutex, site);
    int refused = mutex_check_wait(mutex, site);
    if (refused != 0) {
        step_touch(second, OP_ACCESS_READ);
        return refused;
    }
    check(cond, site);
    check_mutex(cond, mutex, site);
    step_touch(object, OP_ACCESS_WRITE);
    me->sync.depth = mutex_let_go(mutex);
    me->signalled = wakes_spuriously();
    me->timed = timeout->deadline != NULL && !me->signalled;
    timeout_begin(timeout);
    if (me->timed && !poll_slept())
        timeout_give_way(); /* here: once it has the mutex again the others may be stuck */
    me->cond = cond;
    me->time.asleep = OP_COND_WAKE;
    announce((struct op){
        .kind = OP_COND_WAKE, .choices = 1, .object = second, .second = object, .site = site});
    int error = 0;
    if (!me->signalled && !me->cancel.woken && !mutex_can_lock(mutex, ex.current)) {
        step_touch(second, OP_ACCESS_READ);
        step_touch(object, OP_ACCESS_WRITE);
        mutex_note_before(mutex);
        step_timed_out();
        error = timeout_step(timeout);
        me->signalled = true; /* it waits for the mutex alone; signals pass it by */
        me->timed = false;
        announce((struct op){
            .kind = OP_COND_WAKE, .choices = 1, .object = second, .second = object, .site = site});
    }
    bool signalled = me->signalled;
    me->cond = NULL;
    me->signalled = me->timed = false;
    me->time.asleep = 0;
    int failed = mutex_take_again(mutex, me->sync.depth);
    if (failed != 0)
        error = failed;
    if (!signalled)
        step_touch(object, OP_ACCESS_WRITE); /* one waiter less */
    if (!signalled && me->cancel.woken)
        cancel_now();
    me->cancel.woken = false;
    if (!signalled)
        step_timed_out();
    if (!signalled && error == 0)
        error = timeout_step(timeout);
    return error;
}

int cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, uintptr_t site)
{
    struct timeout never = {.deadline = NULL};
    return wait_for(cond, mutex, &never, site);
}

int cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, struct timeout timeout,
                   uintptr_t site)
{
    timeout_is_read(&timeout, OP_COND_WAIT, site);
    return timeout_is_valid(&timeout) ? wait_for(cond, mutex, &timeout, site) : EINVAL;
}

clockid_t cond_clock(const pthread_cond_t *cond)
{
    return cond->__data.__wrefs & MONOTONIC_BIT ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static void wake(thread_id thread)
{
    ex.threads[thread].signalled = true;
    thread_depends(thread, ex.current);
}

/* How many it could wake is known only when its turn comes: the scheduler asks before each pick. */
RETURNS_AS_USUAL uint16_t cond_choices(const void *cond)
{
    uint16_t waiters = count_waiters(cond);
    return waiters > 1 ? waiters : 1;
}

static thread_id nth_waiter(const pthread_cond_t *cond, uint16_t n)
{
    THREADS_EACH(thread, &ex.live)
    if (waits_on(thread, cond) && n-- == 0)
        return thread;
    return NO_THREAD;
}

int cond_signal(pthread_cond_t *cond, uintptr_t site)
{
    uint32_t object = object_number(cond);
    memory_look(cond, site);
    ex.me->mutex = cond;
    announce_on(OP_COND_SIGNAL, object, site);
    memory_uses(ex.me->object, cond, site);
    check(cond, site);
    thread_id woken = nth_waiter(cond, step_choice());
    if (woken != NO_THREAD)
        ex.me->fact += ex.threads[woken].name;
    step_touch(object, OP_ACCESS_WRITE);
    if (woken != NO_THREAD)
        wake(woken);
    return 0;
}

int cond_broadcast(pthread_cond_t *cond, uintptr_t site)
{
    uint32_t object = object_number(cond);
    announce_on(OP_COND_BROADCAST, object, site);
    memory_uses(ex.me->object, cond, site);
    check(cond, site);
    step_touch(object, OP_ACCESS_WRITE);
    THREADS_EACH(thread, &ex.live)
    if (waits_on(thread, cond))
        wake(thread);
    return 0;
}

int cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes, uintptr_t site)
{
    unsigned flags = 0;
    if (attributes != NULL)
        memcpy(&flags, attributes, sizeof flags); /* glibc has the same bits there */
    memory_access(cond, sizeof *cond, true, site);
    thread_id waiter = waiter_on(cond);
    if (waiter != NO_THREAD)
        misuse_with(COND_NOUN, "is initialised that a thread waits on", cond, site, waiter,
                    ex.pending[waiter].site);
    life_begin(COND_NOUN, cond, (cond->__data.__wrefs & ~MONOTONIC_BIT) == BEGUN_BIT, site);
    memset(cond, 0, sizeof *cond);
    cond->__data.__wrefs = (flags & MONOTONIC_BIT) | BEGUN_BIT;
    return 0;
}

int cond_destroy(pthread_cond_t *cond, uintptr_t site)
{
    memory_access(cond, sizeof *cond, true, site);
    thread_id waiter = waiter_on(cond);
    if (waiter != NO_THREAD) {
        misuse_with(COND_NOUN, "is destroyed that a thread waits on", cond, site, waiter,
                    ex.pending[waiter].site);
        return EBUSY;
    }
    life_end(COND_NOUN, cond, (cond->__data.__wrefs & ~FLAGS) == ENDED, site);
    cond->__data.__wrefs = (cond->__data.__wrefs & MONOTONIC_BIT) | ENDED;
    return 0;
}
