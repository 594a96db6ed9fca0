/* Read-write locks. Readers do not wait for writers that wait, as with glibc's default, unless the
 * lock prefers writers: then a writer that finds it taken first joins the queue, a step of its own,
 * and readers wait while the queue is not empty. The state lies in fields that libc leaves alone
 * (__pad3: readers inside, __pad4: writers in the queue, __pad1: a reader was
 * robbed of it) and in __cur_writer, the number of the
 * writer inside plus one; __pad2 is marked when it is initialised or destroyed by a call. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "base/mix.h"
#include "runtime/engine/misuse.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/locks_held.h"
#include "runtime/memory/memory.h"
#include "runtime/progress/await.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/timeout.h"

static bool is_mine(const pthread_rwlock_t *lock)
{
    return lock->__data.__cur_writer == ex.current + 1;
}

static bool is_in_queue(const struct thread *writer)
{
    return writer->time.asleep == OP_RWLOCK_WRITE;
}

static bool prefers_writers(const pthread_rwlock_t *lock)
{
    return lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool is_free_to_read(const pthread_rwlock_t *lock)
{
    return lock->__data.__cur_writer == 0 && (!prefers_writers(lock) || lock->__data.__pad4 == 0);
}

static bool is_free_to_write(const pthread_rwlock_t *lock)
{
    return lock->__data.__cur_writer == 0 && lock->__data.__pad3 == 0;
}

/* Readers that come and go commute as long as each has the lock until it gives it back. Once one
 * was robbed of it, which of them finds it free depends on their order. */
static enum op_access reader_access(const pthread_rwlock_t *lock)
{
    return lock->__data.__pad1[0] != 0 ? OP_ACCESS_WRITE : OP_ACCESS_READ;
}

/* Otherwise it is memory that never was a lock. */
static bool is_rwlock(const pthread_rwlock_t *lock)
{
    return lock->__data.__flags <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP &&
           (unsigned)lock->__data.__cur_writer <= ex.thread_count;
}

bool rwlock_can_read(const void *object, thread_id thread)
{
    const pthread_rwlock_t *lock = object;
    return is_free_to_read(lock) || lock->__data.__cur_writer == thread + 1 ||
           unlikely(!is_rwlock(lock));
}

bool rwlock_can_write(const void *object, thread_id thread)
{
    const pthread_rwlock_t *lock = object;
    return is_free_to_write(lock) || lock->__data.__cur_writer == thread + 1 ||
           (prefers_writers(lock) && !is_in_queue(&ex.threads[thread])) ||
           unlikely(!is_rwlock(lock));
}

/* The clocks that readers leave are for writers only: readers do not come after each other. */
static struct sync *left_by_readers(pthread_rwlock_t *lock)
{
    return &object_state(object_number(&lock->__data.__pad3))->sync;
}

static void check(pthread_rwlock_t *lock, uintptr_t site)
{
    if (likely(lock->__data.__pad2 != MARK_ENDED && is_rwlock(lock)))
        return;
    misuse_of_dead(RWLOCK_NOUN, lock, site);
    if (!is_rwlock(lock))
        memset(lock, 0, sizeof *lock); /* nobody knows what libc would do: it is one from now on */
}

/* How often a thread has a lock to read. */
struct reading {
    struct reading *next;
    const pthread_rwlock_t *lock;
    uint32_t count;
};

static struct reading *reading_of(struct thread *thread, const pthread_rwlock_t *lock)
{
    struct reading *reading = thread->sync.reading;
    while (reading != NULL && reading->lock != lock)
        reading = reading->next;
    return reading;
}

static void note_read(const pthread_rwlock_t *lock)
{
    struct reading *reading = reading_of(ex.me, lock);
    if (reading == NULL) {
        reading = execution_take(sizeof *reading);
        *reading = (struct reading){.next = ex.me->sync.reading, .lock = lock};
        ex.me->sync.reading = reading;
    }
    reading->count++;
}

/* False: the calling thread does not have it to read. */
static bool note_unread(const pthread_rwlock_t *lock)
{
    struct reading *reading = reading_of(ex.me, lock);
    if (reading == NULL || reading->count == 0)
        return false;
    reading->count--;
    return true;
}

static bool is_reading(thread_id thread, const pthread_rwlock_t *lock)
{
    const struct reading *reading = reading_of(&ex.threads[thread], lock);
    return reading != NULL && reading->count > 0;
}

uint64_t reading_digest(const struct thread *thread, uint64_t (*word)(uint64_t))
{
    uint64_t sum = 0;
    for (const struct reading *reading = thread->sync.reading; reading != NULL;
         reading = reading->next)
        if (reading->count > 0)
            sum += mix_fold(word((uint64_t)reading->lock) ^ 0x9e3779b97f4a7c15,
                            reading->count ^ 0xbf58476d1ce4e5b9);
    return sum;
}

static thread_id reader_inside(const pthread_rwlock_t *lock)
{
    THREADS_EACH(thread, &ex.live)
    if (is_reading(thread, lock))
        return thread;
    return NO_THREAD;
}

thread_set model_readers(thread_id waiting)
{
    thread_set readers = {0};
    uint8_t kind = ex.pending[waiting].kind;
    if (kind != OP_RWLOCK_READ && kind != OP_RWLOCK_WRITE)
        return readers;
    THREADS_EACH(thread, &ex.live)
    if (is_reading(thread, ex.threads[waiting].mutex))
        thread_set_add(&readers, thread);
    return readers;
}

/* A lock is initialised again: no thread has it. */
static void forget_readers(const pthread_rwlock_t *lock)
{
    THREADS_EACH(thread, &ex.live)
    {
        struct reading *reading = reading_of(&ex.threads[thread], lock);
        if (reading != NULL)
            reading->count = 0;
    }
}

static thread_id writer_inside(const pthread_rwlock_t *lock)
{
    int number = lock->__data.__cur_writer;
    return number > 0 && number <= ex.thread_count ? (thread_id)(number - 1) : NO_THREAD;
}

uint32_t rwlock_state(const void *object)
{
    const pthread_rwlock_t *lock = object;
    if (lock->__data.__cur_writer != 0)
        return RWLOCK_WRITTEN;
    return (uint32_t)lock->__data.__pad3 | (is_free_to_read(lock) ? 0 : RWLOCK_QUEUED) |
           (reader_access(lock) == OP_ACCESS_WRITE ? RWLOCK_ROBBED : 0);
}

static void note_before(const pthread_rwlock_t *lock)
{
    step_before(rwlock_state(lock));
}

/* Whether a writer joins the queue shows in its step, not when it comes to the lock: until then the
 * lock may be initialised as one of the other kind. */
static bool would_queue(const pthread_rwlock_t *lock)
{
    return prefers_writers(lock) && !is_in_queue(ex.me);
}

static uint32_t announce_rwlock(enum op_kind kind, pthread_rwlock_t *lock, uintptr_t site)
{
    uint32_t object = object_number(lock);
    memory_look(lock, site);
    ex.me->mutex = lock;
    announce_on(kind, object, site);
    if ((kind == OP_RWLOCK_WRITE || kind == OP_RWLOCK_TIMEDWRITE) && would_queue(lock))
        step_becomes(OP_RWLOCK_QUEUE);
    memory_uses(ex.me->object, lock, site);
    note_before(lock);
    check(lock, site);
    return object;
}

static void take_to_read(pthread_rwlock_t *lock, uint32_t object)
{
    step_touch(object, reader_access(lock));
    lock->__data.__pad3++;
    note_read(lock);
    lock_held_to_read(object);
    race_acquire(&ex.race, &object_state(object)->sync);
}

static void take_to_write(pthread_rwlock_t *lock, uint32_t object)
{
    step_touch(object, OP_ACCESS_WRITE);
    lock->__data.__cur_writer = ex.current + 1;
    lock_held(object);
    race_acquire(&ex.race, &object_state(object)->sync);
    race_acquire(&ex.race, left_by_readers(lock));
}

static int fail_to_take(uint32_t object, int error)
{
    step_touch(object, OP_ACCESS_READ);
    step_failed();
    return error;
}

/* A failed write lock does not commute with readers, which only read too. */
static int fail_to_write(const pthread_rwlock_t *lock, uint32_t object, int error)
{
    touch_order(object_state(object), true);
    if (lock->__data.__pad3 == 0)
        step_failed();
    return error;
}

int rwlock_read(pthread_rwlock_t *lock, uintptr_t site)
{
    uint32_t object = announce_rwlock(OP_RWLOCK_READ, lock, site);
    if (is_mine(lock))
        return fail_to_take(object, EDEADLK);
    lock_wanted(object | LOCK_SHARED, site);
    take_to_read(lock, object);
    return 0;
}

int rwlock_tryread(pthread_rwlock_t *lock, const struct local *local)
{
    uint32_t object = object_number(lock);
    ex.me->mutex = lock;
    await_before_read(&lock->__data.__pad3, sizeof(uint64_t), object, local);
    announce_on(OP_RWLOCK_TRYREAD, object, local->site);
    memory_uses(ex.me->object, lock, local->site);
    note_before(lock);
    check(lock, local->site);
    if (is_free_to_read(lock)) {
        take_to_read(lock, object);
        return 0;
    }
    await_after_read();
    return fail_to_take(object, EBUSY);
}

int rwlock_timedread(pthread_rwlock_t *lock, struct timeout timeout, uintptr_t site)
{
    timeout_is_read(&timeout, OP_RWLOCK_TIMEDREAD, site);
    if (!timeout_is_valid(&timeout))
        return EINVAL;
    timeout_begin(&timeout);
    uint32_t object = announce_rwlock(OP_RWLOCK_TIMEDREAD, lock, site);
    if (is_mine(lock))
        return fail_to_take(object, EDEADLK);
    if (!is_free_to_read(lock))
        return fail_to_take(object, timeout_step(&timeout));
    take_to_read(lock, object);
    return 0;
}

/* The step joins the queue, and the thread goes on to wait in another one. */
static void wait_in_queue(enum op_kind kind, pthread_rwlock_t *lock, uint32_t object,
                          uintptr_t site)
{
    step_touch(object, OP_ACCESS_WRITE);
    lock->__data.__pad4++;
    ex.me->cond = lock;
    ex.me->time.asleep = OP_RWLOCK_WRITE;
    announce_rwlock(kind, lock, site);
    ex.me->time.asleep = 0;
    ex.me->cond = NULL;
    if (prefers_writers(lock) && lock->__data.__pad4 > 0) /* or it was initialised since */
        lock->__data.__pad4--;
}

int rwlock_write(pthread_rwlock_t *lock, uintptr_t site)
{
    uint32_t object = announce_rwlock(OP_RWLOCK_WRITE, lock, site);
    if (is_mine(lock))
        return fail_to_take(object, EDEADLK);
    if (!is_free_to_write(lock))
        wait_in_queue(OP_RWLOCK_WRITE, lock, object, site);
    lock_wanted(object, site);
    take_to_write(lock, object);
    return 0;
}

int rwlock_trywrite(pthread_rwlock_t *lock, const struct local *local)
{
    uint32_t object = object_number(lock);
    ex.me->mutex = lock;
    await_before_read(&lock->__data.__pad3, sizeof(uint64_t), object, local);
    announce_on(OP_RWLOCK_TRYWRITE, object, local->site);
    memory_uses(ex.me->object, lock, local->site);
    note_before(lock);
    check(lock, local->site);
    if (is_free_to_write(lock)) {
        take_to_write(lock, object);
        return 0;
    }
    await_after_read();
    if (lock->__data.__pad3 == 0) /* readers have to wait for the writer inside */
        return fail_to_take(object, EBUSY);
    return fail_to_write(lock, object, EBUSY);
}

int rwlock_timedwrite(pthread_rwlock_t *lock, struct timeout timeout, uintptr_t site)
{
    timeout_is_read(&timeout, OP_RWLOCK_TIMEDWRITE, site);
    if (!timeout_is_valid(&timeout))
        return EINVAL;
    timeout_begin(&timeout);
    uint32_t object = announce_rwlock(OP_RWLOCK_TIMEDWRITE, lock, site);
    if (is_mine(lock))
        return fail_to_take(object, EDEADLK);
    if (prefers_writers(lock) && !is_free_to_write(lock))
        wait_in_queue(OP_RWLOCK_TIMEDWRITE, lock, object, site);
    if (is_free_to_write(lock)) {
        take_to_write(lock, object);
        return 0;
    }
    if (!prefers_writers(lock))
        return fail_to_write(lock, object, timeout_step(&timeout));
    step_touch(object, OP_ACCESS_WRITE); /* readers may go on */
    return timeout_step(&timeout);
}

/* By what the calling thread did, not by the lock's state: that may change before the step. */
static bool has_to_read(const pthread_rwlock_t *lock)
{
    const struct thread *me = ex.me;
    uint32_t object = object_number(lock);
    if (unlikely(me->locks.held_count > LOCKS_HELD_MAX))
        return !is_mine(lock);
    for (uint32_t i = me->locks.held_count; i-- > 0;)
        if (me->locks.held[i] == object)
            return me->locks.held_shared >> i & 1;
    return false;
}

/* Undefined: libc lets a reader go if there is one, and so do we. */
static int unlock_of_others(pthread_rwlock_t *lock, uint32_t object, uintptr_t site)
{
    step_touch(object, OP_ACCESS_WRITE);
    if (lock->__data.__pad3 > 0) {
        misuse_with(RWLOCK_NOUN, "is unlocked that only other threads hold to read", lock, site,
                    reader_inside(lock), 0);
        lock->__data.__pad3--;
        lock->__data.__pad1[0] = 1;
        race_release_more(&ex.race, left_by_readers(lock));
        return 0;
    }
    misuse_with(RWLOCK_NOUN,
                lock->__data.__cur_writer == 0 ? "is unlocked that nobody holds"
                                               : "is unlocked that another thread holds",
                lock, site, writer_inside(lock), 0);
    step_failed();
    return EPERM;
}

int rwlock_unlock(pthread_rwlock_t *lock, uintptr_t site)
{
    uint32_t object =
        announce_rwlock(has_to_read(lock) ? OP_RWLOCK_UNREAD : OP_RWLOCK_UNWRITE, lock, site);
    lock_dropped(object);
    if (is_mine(lock)) {
        step_touch(object, OP_ACCESS_WRITE);
        lock->__data.__cur_writer = 0;
        race_release(&ex.race, &object_state(object)->sync);
        return 0;
    }
    if (unlikely(lock->__data.__pad3 == 0 || !note_unread(lock)))
        return unlock_of_others(lock, object, site);
    step_touch(object, reader_access(lock));
    lock->__data.__pad3--;
    race_release_more(&ex.race, left_by_readers(lock));
    return 0;
}

int rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes, uintptr_t site)
{
    int kind = PTHREAD_RWLOCK_DEFAULT_NP;
    if (attributes != NULL)
        memcpy(&kind, attributes, sizeof kind); /* glibc keeps it first */
    memory_access(lock, sizeof *lock, true, site);
    life_begin(RWLOCK_NOUN, lock, lock->__data.__pad2 == MARK_BEGUN, site);
    forget_readers(lock);
    memset(lock, 0, sizeof *lock);
    lock->__data.__pad2 = MARK_BEGUN;
    lock->__data.__flags = (unsigned)kind;
    return 0;
}

int rwlock_destroy(pthread_rwlock_t *lock, uintptr_t site)
{
    memory_access(lock, sizeof *lock, true, site);
    if (!is_free_to_write(lock)) {
        misuse_with(RWLOCK_NOUN, "is destroyed that is locked", lock, site, writer_inside(lock), 0);
        return EBUSY;
    }
    life_end(RWLOCK_NOUN, lock, lock->__data.__pad2 == MARK_ENDED, site);
    lock->__data.__pad2 = MARK_ENDED;
    return 0;
}
