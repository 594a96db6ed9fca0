/* Locks: mutexes, read-write locks, spin locks, streams; C11's mutexes.
 *
 * The state of a lock lies in the object itself, where the program's memset and free change it as on a machine. A lock,
 * an unlock and a successful try write the lock; a failed try reads it. Read locks and read unlocks commute with each
 * other, but not with a failed try to write-lock, which sees how many readers there are. Initialising and destroying are plain writes of the object. */
#define _GNU_SOURCE
#include "oracle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

struct mutex {
    int owner, count; /* owner: thread + 1 */
    int unused[2];
    int kind; /* where libc's initialisers put it */
};

static bool mutex_free(struct thread *thread)
{
    struct mutex *mutex = thread->operation.object;
    return mutex->owner == 0 || (mutex->owner == thread->id + 1 && (mutex->kind & 3) != PTHREAD_MUTEX_NORMAL);
}

static int mutex_take(struct mutex *mutex, int busy, Site site)
{
    bool mine = mutex->owner == self->id + 1;
    if (mutex->owner != 0 && !(mine && (mutex->kind & 3) == PTHREAD_MUTEX_RECURSIVE)) {
        use(mutex, false, site);
        if (busy == ETIMEDOUT)
            timed_out(site);
        return mine && (mutex->kind & 3) == PTHREAD_MUTEX_ERRORCHECK && busy != EBUSY ? EDEADLK : busy;
    }
    use(mutex, true, site);
    acquire(mutex);
    mutex->owner = self->id + 1;
    mutex->count++;
    return 0;
}

static int mutex_give(struct mutex *mutex, Site site)
{
    use(mutex, true, site);
    if (mutex->owner != self->id + 1)
        return EPERM;
    if (--mutex->count == 0) {
        mutex->owner = 0;
        release(mutex);
    }
    return 0;
}

static int lock(void *mutex, const char *name, Enabled when, Site site)
{
    announce((struct operation){.name = name, .enabled = when, .object = mutex, .site = site});
    return mutex_take(mutex, when == NULL ? (name[0] == 't' && name[1] == 'r' ? EBUSY : ETIMEDOUT) : EDEADLK, site);
}

static int unlock(void *mutex, Site site)
{
    announce((struct operation){.name = "unlock", .object = mutex, .site = site});
    return mutex_give(mutex, site);
}

static int write_object(void *object, size_t size, Site site)
{
    access_step(object, size, PLAIN_WRITE, "write", site);
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    write_object(mutex, sizeof *mutex, HERE);
    memset(mutex, 0, sizeof *mutex);
    if (attributes != NULL)
        ((struct mutex *)mutex)->kind = *(const int *)attributes & 3;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return write_object(mutex, sizeof *mutex, HERE);
}

int pthread_mutex_lock(pthread_mutex_t *m) { return lock(m, "lock", mutex_free, HERE); }
int pthread_mutex_trylock(pthread_mutex_t *m) { return lock(m, "try-lock", NULL, HERE); }
int pthread_mutex_unlock(pthread_mutex_t *m) { return unlock(m, HERE); }

int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *time)
{
    argument_read(time, sizeof *time, HERE);
    return lock(m, "timed lock", NULL, HERE);
}

int mtx_init(mtx_t *mutex, int type)
{
    write_object(mutex, sizeof *mutex, HERE);
    memset(mutex, 0, sizeof *mutex);
    ((struct mutex *)mutex)->kind = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return thrd_success;
}

static int c11(int error)
{
    return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

void mtx_destroy(mtx_t *mutex) { write_object(mutex, sizeof *mutex, HERE); }
int mtx_lock(mtx_t *m) { return c11(lock(m, "lock", mutex_free, HERE)); }
int mtx_trylock(mtx_t *m) { return c11(lock(m, "try-lock", NULL, HERE)); }
int mtx_unlock(mtx_t *m) { return c11(unlock(m, HERE)); }

int mtx_timedlock(mtx_t *m, const struct timespec *time)
{
    argument_read(time, sizeof *time, HERE);
    return c11(lock(m, "timed lock", NULL, HERE));
}

/* For condition variables: let go of the mutex, and take it again, inside of other steps. */
bool mutex_is_free(void *mutex) { return ((struct mutex *)mutex)->owner == 0; }
void mutex_leave(void *mutex, Site site) { mutex_give(mutex, site); }
void mutex_enter(void *mutex, Site site) { mutex_take(mutex, 0, site); }

/* Read-write locks; a queue of writers only where the lock prefers them. */
struct rwlock {
    int readers, writer; /* writer: thread + 1 */
    int prefers_writers, queued;
    bool robbed; /* of a reader: by a thread that does not have it. Readers no longer commute then. */
    uint8_t holders[THREADS];
};

/* POSIX lets a thread that has the lock to write deadlock if it locks it again, or fail with EDEADLK. The C library fails. */
static bool is_writer(struct thread *thread, const struct rwlock *lock)
{
    return lock->writer == thread->id + 1;
}

static bool can_read(struct thread *thread)
{
    struct rwlock *lock = thread->operation.object;
    return (lock->writer == 0 && lock->queued == 0) || is_writer(thread, lock);
}

static bool can_write(struct thread *thread)
{
    struct rwlock *lock = thread->operation.object;
    return (lock->writer == 0 && lock->readers == 0) || is_writer(thread, lock);
}

/* To join the queue it need not wait. Whether the lock has one shows when the step is taken: it may be initialised until then. */
static bool can_write_or_queue(struct thread *thread)
{
    return ((struct rwlock *)thread->operation.object)->prefers_writers || can_write(thread);
}

static int fail_as_writer(struct rwlock *lock, Site site)
{
    use(lock, false, site);
    return EDEADLK;
}

static struct cell *read_side(struct rwlock *lock)
{
    return cell_of((uintptr_t)lock);
}

static int read_lock(void *object, const char *name, Enabled when, int busy, Site site)
{
    struct rwlock *lock = object;
    announce((struct operation){.name = name, .enabled = when, .object = lock, .site = site});
    if (busy != EBUSY && is_writer(self, lock))
        return fail_as_writer(lock, site);
    if (lock->writer != 0 || lock->queued != 0) {
        use(lock, false, site);
        if (busy == ETIMEDOUT)
            timed_out(site);
        return busy;
    }
    use(lock, lock->robbed, site);
    lock->readers++;
    lock->holders[self->id]++;
    acquire(lock);
    return 0;
}

static int write_lock(void *object, const char *name, Enabled when, int busy, Site site)
{
    struct rwlock *lock = object;
    bool queued = false;
    announce((struct operation){.name = name, .enabled = when, .object = lock, .site = site});
    if (busy != EBUSY && is_writer(self, lock))
        return fail_as_writer(lock, site);
    if (busy != EBUSY && lock->prefers_writers && (lock->writer != 0 || lock->readers != 0)) {
        use(lock, true, site);
        lock->queued++;
        queued = true;
        announce((struct operation){.name = name, .enabled = when == NULL ? NULL : can_write, .object = lock, .site = site});
    }
    if (lock->writer != 0 || lock->readers != 0) {
        /* A writer's request does not commute with readers inside that leave; with a time limit it leaves the queue of writers. */
        use(lock, busy == ETIMEDOUT || lock->readers != 0, site);
        lock->queued -= queued;
        if (busy == ETIMEDOUT)
            timed_out(site);
        return busy;
    }
    use(lock, true, site);
    lock->queued -= queued;
    lock->writer = self->id + 1;
    acquire(lock);
    clock_join(self->clock, read_side(lock)->read_released);
    return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    write_object(lock, sizeof *lock, HERE);
    memset(lock, 0, sizeof *lock);
    int kind = PTHREAD_RWLOCK_DEFAULT_NP;
    if (attributes != NULL)
        pthread_rwlockattr_getkind_np(attributes, &kind);
    ((struct rwlock *)lock)->prefers_writers = kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) { return write_object(lock, sizeof *lock, HERE); }
int pthread_rwlock_rdlock(pthread_rwlock_t *l) { return read_lock(l, "read-lock", can_read, 0, HERE); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) { return read_lock(l, "try-read-lock", NULL, EBUSY, HERE); }
int pthread_rwlock_wrlock(pthread_rwlock_t *l) { return write_lock(l, "write-lock", can_write_or_queue, 0, HERE); }
int pthread_rwlock_trywrlock(pthread_rwlock_t *l) { return write_lock(l, "try-write-lock", NULL, EBUSY, HERE); }

int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *time)
{
    argument_read(time, sizeof *time, HERE);
    return read_lock(l, "timed read-lock", NULL, ETIMEDOUT, HERE);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *time)
{
    argument_read(time, sizeof *time, HERE);
    return write_lock(l, "timed write-lock", NULL, ETIMEDOUT, HERE);
}

/* POSIX leaves it undefined to unlock what other threads hold, or nobody: one reader less, if there is one. */
static int unlock_of_others(struct rwlock *lock, Site site)
{
    use(lock, true, site);
    if (lock->readers == 0)
        return EPERM;
    lock->readers--;
    lock->robbed = true;
    clock_join(read_side(lock)->read_released, self->clock);
    self->clock[self->id]++;
    return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *object)
{
    struct rwlock *lock = (struct rwlock *)object;
    announce((struct operation){.name = "unlock", .object = lock, .site = HERE});
    if (lock->writer == self->id + 1) {
        use(lock, true, HERE);
        lock->writer = 0;
        release(lock);
        return 0;
    }
    if (lock->holders[self->id] == 0 || lock->readers == 0)
        return unlock_of_others(lock, HERE);
    use(lock, lock->robbed, HERE);
    lock->readers--;
    lock->holders[self->id]--;
    clock_join(read_side(lock)->read_released, self->clock);
    self->clock[self->id]++;
    return 0;
}

/* Spin locks. */
static bool spin_free(struct thread *thread)
{
    return *(int *)thread->operation.object == 0;
}

static int spin_take(int *lock, const char *name, Enabled when, Site site)
{
    announce((struct operation){.name = name, .enabled = when, .object = lock, .site = site});
    if (*lock != 0) {
        use(lock, false, site);
        return EBUSY;
    }
    use(lock, true, site);
    acquire(lock);
    *lock = self->id + 1;
    return 0;
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    write_object((void *)lock, sizeof *lock, HERE);
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) { return write_object((void *)lock, sizeof *lock, HERE); }
int pthread_spin_lock(pthread_spinlock_t *l) { return spin_take((int *)l, "spin-lock", spin_free, HERE); }
int pthread_spin_trylock(pthread_spinlock_t *l) { return spin_take((int *)l, "try-spin-lock", NULL, HERE); }

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    announce((struct operation){.name = "spin-unlock", .site = HERE});
    use((void *)lock, true, HERE);
    *lock = 0;
    release((void *)lock);
    return 0;
}

/* Streams: recursive locks that libc keeps; the oracle has its own, in memory outside of the program's. */
struct stream {
    FILE *file;
    int owner, count;
};
static struct stream *streams;
enum { STREAMS = 4 };

static void streams_reset(void)
{
    memset(streams, 0, STREAMS * sizeof *streams);
}

void streams_open(void)
{
    streams = room(STREAMS * sizeof *streams);
    at_reset(streams_reset);
}

static struct stream *stream_of(FILE *file)
{
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].file == file || streams[i].file == NULL) {
            streams[i].file = file;
            return &streams[i];
        }
    exceeded("streams");
}

static bool stream_free(struct thread *thread)
{
    struct stream *stream = thread->operation.object;
    return stream->owner == 0 || stream->owner == thread->id + 1;
}

static int stream_take(struct stream *stream, const char *name, Enabled when, Site site)
{
    announce((struct operation){.name = name, .enabled = when, .object = stream, .site = site});
    bool free = stream_free(self);
    touch(stream, free);
    if (!free)
        return 1;
    acquire(stream);
    stream->owner = self->id + 1;
    stream->count++;
    return 0;
}

void flockfile(FILE *file) { stream_take(stream_of(file), "lock stream", stream_free, HERE); }
int ftrylockfile(FILE *file) { return stream_take(stream_of(file), "try-lock stream", NULL, HERE); }

void funlockfile(FILE *file)
{
    struct stream *stream = stream_of(file);
    announce((struct operation){.name = "unlock stream", .site = HERE});
    touch(stream, true);
    if (--stream->count == 0) {
        stream->owner = 0;
        release(stream);
    }
}
