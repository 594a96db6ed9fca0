/* Condition variables, semaphores, barriers, once, futexes. */
#define _GNU_SOURCE
#include "oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>

/* locks.c */
bool mutex_is_free(void *mutex);
void mutex_leave(void *mutex, Site site);
void mutex_enter(void *mutex, Site site);

/* A wait is two steps: let go of the mutex and sleep; once signalled, take the mutex again. With a time limit the second
 * is always possible: unsignalled it is the timeout, which takes the mutex if that is free, and else asks for it in a
 * third step. There are no spurious wake-ups. */
static bool signalled(struct thread *thread)
{
    return thread->woken && mutex_is_free(thread->operation.object);
}

static bool timed_wake(struct thread *thread)
{
    return !thread->woken || mutex_is_free(thread->operation.object);
}

static bool mutex_only(struct thread *thread)
{
    return mutex_is_free(thread->operation.object);
}

static int wait_at(void *condition, void *mutex, bool timed, Site site)
{
    announce((struct operation){
        .name = "wait", .object = condition, .site = site, .cancellation_point = true});
    use(condition, true, site);
    mutex_leave(mutex, site);
    self->asleep = condition;
    self->woken = false;
    announce((struct operation){.name = "wake",
                                .enabled = timed ? timed_wake : signalled,
                                .object = mutex,
                                .site = site,
                                .cancellation_point = true});
    bool timeout = !self->woken;
    self->asleep = NULL;
    touch(&self->woken, true); /* after the signal that woke it, if one did */
    if (timeout)
        use(condition, true, site);
    if (timeout && !mutex_is_free(mutex)) {
        use(mutex, false, site);
        announce((struct operation){.name = "lock", .enabled = mutex_only, .object = mutex, .site = site});
    }
    mutex_enter(mutex, site);
    if (timeout)
        timed_out(site);
    return timeout ? ETIMEDOUT : 0;
}

static unsigned sleepers(void *object)
{
    unsigned count = 0;
    for (int i = 0; i < the->thread_count; i++)
        count += the->threads[i].asleep == object && !the->threads[i].woken;
    return count;
}

static unsigned one_of_the_sleepers(struct thread *thread)
{
    unsigned count = sleepers(thread->operation.object);
    return count > 1 ? count : 1;
}

static int signal_at(void *condition, bool all, Site site)
{
    announce((struct operation){.name = all ? "broadcast" : "signal",
                                .outcomes = all ? NULL : one_of_the_sleepers,
                                .object = condition,
                                .site = site});
    unsigned choice = self->choice;
    use(condition, true, site);
    for (int i = 0; i < the->thread_count; i++) {
        struct thread *thread = &the->threads[i];
        if (thread->asleep == condition && !thread->woken && (all || choice-- == 0)) {
            thread->woken = true;
            touch(&thread->woken, true);
            if (!all)
                break;
        }
    }
    return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    (void)attributes;
    access_step(condition, sizeof *condition, PLAIN_WRITE, "write", HERE);
    memset(condition, 0, sizeof *condition);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    access_step(condition, sizeof *condition, PLAIN_WRITE, "write", HERE);
    return 0;
}

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { return wait_at(c, m, false, HERE); }
int pthread_cond_signal(pthread_cond_t *c) { return signal_at(c, false, HERE); }
int pthread_cond_broadcast(pthread_cond_t *c) { return signal_at(c, true, HERE); }

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *time)
{
    argument_read(time, sizeof *time, HERE);
    return wait_at(c, m, true, HERE);
}

int cnd_init(cnd_t *condition)
{
    access_step(condition, sizeof *condition, PLAIN_WRITE, "write", HERE);
    memset(condition, 0, sizeof *condition);
    return thrd_success;
}

void cnd_destroy(cnd_t *c) { access_step(c, sizeof *c, PLAIN_WRITE, "write", HERE); }
int cnd_wait(cnd_t *c, mtx_t *m) { wait_at(c, m, false, HERE); return thrd_success; }
int cnd_signal(cnd_t *c) { signal_at(c, false, HERE); return thrd_success; }
int cnd_broadcast(cnd_t *c) { signal_at(c, true, HERE); return thrd_success; }

int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *time)
{
    argument_read(time, sizeof *time, HERE);
    return wait_at(c, m, true, HERE) == 0 ? thrd_success : thrd_timedout;
}

/* Semaphores: the value is the first word. A post synchronises with the waits that come after it. */
static bool positive(struct thread *thread)
{
    return *(int *)thread->operation.object > 0;
}

static bool not_positive(struct thread *thread)
{
    return !positive(thread);
}

static int sem_take(void *semaphore, const char *name, Enabled when, int error, Site site)
{
    announce((struct operation){.name = name,
                                .enabled = when,
                                .object = semaphore,
                                .site = site,
                                .cancellation_point = error != EAGAIN,
                                .interruption = error == EINTR       ? RESTARTED
                                                : error == ETIMEDOUT ? INTERRUPTED
                                                                     : NOT_INTERRUPTED,
                                .waits = not_positive});
    int *value = semaphore;
    if (self->interrupted) {
        errno = EINTR;
        return -1;
    }
    if (*value <= 0) {
        use(semaphore, false, site);
        if (error == ETIMEDOUT)
            timed_out(site);
        errno = error;
        return -1;
    }
    use(semaphore, true, site);
    --*value;
    acquire(semaphore);
    return 0;
}

int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    (void)shared;
    access_step(semaphore, sizeof *semaphore, PLAIN_WRITE, "write", HERE);
    memset(semaphore, 0, sizeof *semaphore);
    *(int *)semaphore = (int)value;
    return 0;
}

int sem_destroy(sem_t *semaphore)
{
    access_step(semaphore, sizeof *semaphore, PLAIN_WRITE, "write", HERE);
    return 0;
}

int sem_wait(sem_t *s) { return sem_take(s, "semaphore wait", positive, EINTR, HERE); }
int sem_trywait(sem_t *s) { return sem_take(s, "semaphore try-wait", NULL, EAGAIN, HERE); }

int sem_timedwait(sem_t *s, const struct timespec *time)
{
    argument_read(time, sizeof *time, HERE);
    return sem_take(s, "semaphore timed wait", NULL, ETIMEDOUT, HERE);
}

int sem_post(sem_t *semaphore)
{
    announce((struct operation){.name = "semaphore post", .object = semaphore, .site = HERE});
    use(semaphore, true, HERE);
    ++*(int *)semaphore;
    release_again(semaphore);
    return 0;
}

int sem_getvalue(sem_t *semaphore, int *value)
{
    announce((struct operation){.name = "semaphore value", .object = semaphore, .site = HERE});
    use(semaphore, false, HERE);
    access_quietly(value, sizeof *value, PLAIN_WRITE, HERE);
    *value = *(int *)semaphore;
    return 0;
}

/* Named semaphores: a name leads to a block until it is unlinked. Opening, closing and unlinking write the name. */
enum { NAMES = 4 };
static struct names {
    struct {
        char name[32];
        char *semaphore;
        bool linked;
    } all[NAMES];
    int count;
} *names;

static void names_reset(void)
{
    memset(names, 0, sizeof *names);
}

void *__wrap_malloc(size_t size);

static int name_find(const char *name)
{
    for (int i = 0; i < names->count; i++)
        if (names->all[i].linked && strcmp(names->all[i].name, name) == 0)
            return i;
    return -1;
}

/* The thread that finds a name comes after the one that made it, as with files. */
static void name_step(void)
{
    touch(names, true);
    acquire(names);
    release(names);
}

sem_t *sem_open(const char *name, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    va_arg(more, unsigned);
    unsigned value = flags & O_CREAT ? va_arg(more, unsigned) : 0;
    va_end(more);
    argument_read(name, strlen(name) + 1, HERE);
    announce((struct operation){.name = "semaphore name", .site = HERE});
    name_step();
    int found = name_find(name);
    if (found >= 0 && (flags & O_CREAT) && (flags & O_EXCL)) {
        errno = EEXIST;
        return SEM_FAILED;
    }
    if (found >= 0)
        return (sem_t *)names->all[found].semaphore;
    if (!(flags & O_CREAT)) {
        errno = ENOENT;
        return SEM_FAILED;
    }
    if (names->count == NAMES)
        exceeded("names of semaphores");
    found = names->count++;
    names->all[found].linked = true;
    strcpy(names->all[found].name, name);
    names->all[found].semaphore = __wrap_malloc(sizeof(sem_t));
    *(int *)names->all[found].semaphore = (int)value;
    return (sem_t *)names->all[found].semaphore;
}

int sem_close(sem_t *semaphore)
{
    (void)semaphore;
    announce((struct operation){.name = "semaphore name", .site = HERE});
    name_step();
    return 0;
}

int sem_unlink(const char *name)
{
    argument_read(name, strlen(name) + 1, HERE);
    announce((struct operation){.name = "semaphore name", .site = HERE});
    name_step();
    int found = name_find(name);
    if (found < 0) {
        errno = ENOENT;
        return -1;
    }
    names->all[found].linked = false;
    return 0;
}

/* Barriers: arrive, then leave once all have arrived. The last to arrive is the serial thread; it lets all waiting threads go,
 * whatever becomes of the barrier then. */
struct barrier {
    int needed, arrived, round;
};
static const void *opened[THREADS]; /* for each thread: the round that let it go */

static bool all_arrived(struct thread *thread)
{
    return thread->woken;
}

int pthread_barrier_init(pthread_barrier_t *object, const pthread_barrierattr_t *attributes, unsigned count)
{
    struct barrier *barrier = (struct barrier *)object;
    (void)attributes;
    if (count == 0)
        return EINVAL;
    access_step(object, sizeof *object, PLAIN_WRITE, "write", HERE);
    *barrier = (struct barrier){.needed = (int)count, .round = barrier->round};
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *object)
{
    access_step(object, sizeof *object, PLAIN_WRITE, "write", HERE);
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *object)
{
    struct barrier *barrier = (struct barrier *)object;
    announce((struct operation){.name = "arrive at", .object = barrier, .site = HERE});
    use(barrier, true, HERE);
    const void *this_round = (const void *)((uintptr_t)barrier ^ (uintptr_t)(barrier->round + 1) << 50);
    release_again(this_round);
    self->asleep = barrier;
    self->woken = false;
    bool serial = ++barrier->arrived >= barrier->needed;
    for (int i = 0; serial && i < the->thread_count; i++)
        if (the->threads[i].asleep == barrier && !the->threads[i].woken) {
            the->threads[i].woken = true;
            opened[i] = this_round;
            touch(&the->threads[i].woken, true);
        }
    if (serial) {
        barrier->arrived = 0;
        barrier->round++;
    }
    announce((struct operation){.name = "leave", .enabled = all_arrived, .object = barrier, .site = HERE});
    self->asleep = NULL;
    touch(&self->woken, true);
    acquire(opened[self->id]);
    return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* Once: the first caller runs the function between two steps; others wait until it is done. */
enum once_state { FRESH, UNDERWAY, FINISHED };

static bool not_underway(struct thread *thread)
{
    return *(int *)thread->operation.object != UNDERWAY;
}

static int once(int *control, void (*initialise)(void), Site site)
{
    announce((struct operation){.name = "once", .enabled = not_underway, .object = control, .site = site});
    if (*control == FINISHED) {
        use(control, false, site);
        acquire(control);
        return 0;
    }
    use(control, true, site);
    *control = UNDERWAY;
    initialise();
    announce((struct operation){.name = "once done", .object = control, .site = site});
    use(control, true, site);
    *control = FINISHED;
    release(control);
    return 0;
}

int pthread_once(pthread_once_t *control, void (*initialise)(void)) { return once((int *)control, initialise, HERE); }
void call_once(once_flag *flag, void (*initialise)(void)) { once((int *)flag, initialise, HERE); }

/* Futexes: wait compares and sleeps in one step; a wake that cannot wake all sleepers chooses which. */
static bool futex_woken(struct thread *thread)
{
    return thread->woken;
}

static bool futex_asleep(struct thread *thread)
{
    return !thread->woken;
}

static const void *sleepers_on(const void *word)
{
    return (const void *)((uintptr_t)word ^ 1ul << 61);
}

static unsigned subsets(struct thread *thread)
{
    unsigned count = sleepers(thread->operation.object), wanted = (unsigned)thread->operation.argument;
    unsigned ways = 1;
    if (wanted >= count)
        return 1;
    for (unsigned i = 0; i < wanted; i++)
        ways = ways * (count - i) / (i + 1);
    return ways;
}

/* The subset of that number, in the order of numbers with `wanted` bits. */
static unsigned subset(unsigned count, unsigned wanted, unsigned number)
{
    for (unsigned bits = 0; bits < 1u << count; bits++)
        if ((unsigned)__builtin_popcount(bits) == wanted && number-- == 0)
            return bits;
    return 0;
}

static long futex_wait_once(int *word, int value, bool timed, Site site)
{
    announce((struct operation){.name = "futex wait", .object = word, .site = site});
    access_quietly(word, sizeof *word, ATOMIC_READ, site);
    if (*word != value) {
        errno = EAGAIN;
        return -1;
    }
    touch(sleepers_on(word), false);
    self->asleep = word;
    self->woken = false;
    announce((struct operation){.name = "futex woken",
                                .enabled = timed ? NULL : futex_woken,
                                .object = word,
                                .site = site,
                                .interruption = INTERRUPTED,
                                .waits = futex_asleep,
                                .asleep = true});
    self->asleep = NULL;
    if (self->interrupted && !self->woken) { /* a woken thread has left the sleepers: the call succeeds */
        touch(sleepers_on(word), false); /* leaving and coming commute with each other, but not with a wake */
        errno = EINTR;
        return -1;
    }
    access_quietly(word, sizeof *word, ATOMIC_READ, site);
    if (!self->woken) {
        touch(sleepers_on(word), true);
        give_way();
        errno = ETIMEDOUT;
        return -1;
    }
    touch(&self->woken, true); /* the thread left the sleepers when it was woken */
    return 0;
}

/* After a handler with SA_RESTART the wait compares again, unless it has a time limit (signal(7)). */
static long futex_wait(int *word, int value, bool timed, Site site)
{
    long result;
    do
        result = futex_wait_once(word, value, timed, site);
    while (result != 0 && errno == EINTR && !timed && self->restarts);
    return result;
}

static long futex_wake(int *word, int wanted, Site site)
{
    announce((struct operation){
        .name = "futex wake", .outcomes = subsets, .object = word, .argument = wanted, .site = site});
    unsigned count = sleepers(word);
    unsigned chosen = (unsigned)wanted >= count ? ~0u : subset(count, (unsigned)wanted, self->choice);
    access_quietly(word, sizeof *word, ATOMIC_READ, site);
    touch(sleepers_on(word), true);
    long woken = 0;
    unsigned number = 0;
    for (int i = 0; i < the->thread_count; i++) {
        struct thread *thread = &the->threads[i];
        if (thread->asleep == word && !thread->woken && (chosen >> number++ & 1)) {
            thread->woken = true;
            touch(&thread->woken, true);
            woken++;
        }
    }
    return woken;
}

long syscall(long number, ...)
{
    va_list more;
    va_start(more, number);
    int *word = va_arg(more, int *);
    int operation = va_arg(more, int) & ~FUTEX_PRIVATE_FLAG, value = va_arg(more, int);
    void *limit = va_arg(more, void *);
    va_end(more);
    if (number != SYS_futex)
        exceeded("system calls");
    if (operation == FUTEX_WAIT && limit != NULL)
        argument_read(limit, sizeof(struct timespec), HERE);
    if (operation == FUTEX_WAIT)
        return futex_wait(word, value, limit != NULL, HERE);
    if (operation == FUTEX_WAKE)
        return futex_wake(word, value, HERE);
    exceeded("futex operations");
}

void sync_open(void)
{
    names = room(sizeof *names);
    at_reset(names_reset);
}
