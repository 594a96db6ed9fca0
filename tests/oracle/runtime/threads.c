/* Threads: creation, joins, detachment, yields, sleeps, the end of the process, choices, annotations of bohr.h. */
#define _GNU_SOURCE
#include "oracle.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

/* The numbering of threads: creations depend on each other. */
static char numbering;

int thread_of(pthread_t handle)
{
    int id = (int)handle - 1;
    return id >= 0 && id < the->thread_count ? id : -1;
}

static int create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument, Site site)
{
    announce((struct operation){.name = "create", .site = site});
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes != NULL) {
        access_quietly(attributes, sizeof *attributes, PLAIN_READ, site);
        pthread_attr_getdetachstate(attributes, &detached);
    }
    struct thread *thread = thread_make(start, argument);
    thread->detached = detached == PTHREAD_CREATE_DETACHED;
    thread->blocked = self->blocked;
    memcpy(thread->clock, self->clock, sizeof thread->clock);
    touch(&numbering, true);
    self->clock[self->id]++;
    thread->clock[thread->id]++;
    *handle = (pthread_t)thread->id + 1;
    access_quietly(handle, sizeof *handle, PLAIN_WRITE, site); /* unordered with the new thread */
    the->own_steps[thread->id] = the->step_count;              /* the thread's past begins with this step */
    thread_run_to_first_operation(thread);
    return 0;
}

int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    return create(handle, attributes, start, argument, HERE);
}

int thrd_create(thrd_t *handle, thrd_start_t start, void *argument)
{
    return create(handle, NULL, (void *(*)(void *))(void *)start, argument, HERE);
}

/* A thread that was joined or detached cannot be joined any more: that fails at once. */
static bool need_not_wait(struct thread *thread)
{
    struct thread *other = thread->operation.object;
    return other->state == DONE || other->joined || other->detached;
}

/* Whether a thread can be joined is written by joins and detachment, and has nothing to do with its end. */
static const void *ownership(struct thread *thread)
{
    return (const char *)thread + 1;
}

static void joined(struct thread *thread, void **result, Site site)
{
    touch(thread, false);
    touch(ownership(thread), true);
    clock_join(self->clock, thread->clock);
    thread->joined = true;
    if (result != NULL) {
        access_quietly(result, sizeof *result, PLAIN_WRITE, site);
        *result = thread->result;
    }
}

/* POSIX leaves the behaviour undefined; the execution goes on with an error. */
static bool joinable(struct thread *thread, Site site)
{
    if (!thread->joined && !thread->detached)
        return true;
    note_finding("misuse %#lx", (unsigned long)site);
    return false;
}

static int join(pthread_t handle, void **result, Site site)
{
    int id = thread_of(handle);
    if (id < 0)
        return ESRCH;
    struct thread *thread = &the->threads[id];
    announce((struct operation){
        .name = "join", .enabled = need_not_wait, .object = thread, .site = site, .cancellation_point = true});
    if (!joinable(thread, site)) {
        touch(ownership(thread), false);
        return thread->joined ? ESRCH : EINVAL;
    }
    joined(thread, result, site);
    return 0;
}

int pthread_join(pthread_t handle, void **result)
{
    return join(handle, result, HERE);
}

int thrd_join(thrd_t handle, int *result)
{
    void *whole = NULL;
    int error = join(handle, &whole, HERE);
    if (error == 0 && result != NULL) {
        access_quietly(result, sizeof *result, PLAIN_WRITE, HERE);
        *result = (int)(intptr_t)whole;
    }
    return error == 0 ? thrd_success : thrd_error;
}

static int try_join(pthread_t handle, void **result, int busy, const char *name, Site site)
{
    int id = thread_of(handle);
    if (id < 0)
        return ESRCH;
    struct thread *thread = &the->threads[id];
    announce((struct operation){
        .name = name, .object = thread, .site = site, .cancellation_point = busy == ETIMEDOUT});
    touch(ownership(thread), false);
    if (!joinable(thread, site))
        return thread->joined ? ESRCH : EINVAL;
    if (thread->state != DONE) {
        touch(thread, false);
        if (busy == ETIMEDOUT)
            timed_out(site);
        return busy;
    }
    joined(thread, result, site);
    return 0;
}

int pthread_tryjoin_np(pthread_t handle, void **result)
{
    return try_join(handle, result, EBUSY, "try-join", HERE);
}

int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *time)
{
    argument_read(time, sizeof *time, HERE);
    return try_join(handle, result, ETIMEDOUT, "timed join", HERE);
}

static int detach(pthread_t handle, Site site)
{
    int id = thread_of(handle);
    if (id < 0)
        return ESRCH;
    announce((struct operation){.name = "detach", .site = site});
    touch(ownership(&the->threads[id]), true);
    if (!joinable(&the->threads[id], site))
        return EINVAL;
    the->threads[id].detached = true;
    return 0;
}

int pthread_detach(pthread_t handle) { return detach(handle, HERE); }
int thrd_detach(thrd_t handle) { return detach(handle, HERE) == 0 ? thrd_success : thrd_error; }
pthread_t pthread_self(void) { return (pthread_t)self->id + 1; }
int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

void pthread_exit(void *result)
{
    thread_end(result);
}

static void nothing_at(const char *name, bool cancellation_point, Site site)
{
    announce((struct operation){.name = name, .site = site, .cancellation_point = cancellation_point});
}

/* Where yields are fair (docs/COUNTING.md, rules 4, 9 and 10) the thread goes on when all others had a step or cannot. */
void give_way(void)
{
    the->gave_way = true;
    for (int i = 0; the->fair && i < the->thread_count; i++)
        if (i != self->id && the->threads[i].state == READY)
            self->gives_way |= 1u << i;
}

/* A thread that times out again at the same place gives way. */
void timed_out(Site site)
{
    if (self->timeout == site)
        give_way();
    self->timeout = site;
}

void time_reach(uint64_t time)
{
    the->time = time > the->time ? time : the->time;
}

/* When a sleep ends is known as soon as the thread comes to it: a timer that expires later does not interrupt it. */
static bool sleeps(struct thread *thread)
{
    return (uint64_t)thread->operation.argument > the->time;
}

static int sleep_at(uint64_t nanoseconds, Site site)
{
    uint64_t end = the->time + nanoseconds;
    announce((struct operation){.name = "sleep",
                                .argument = (long)end,
                                .site = site,
                                .cancellation_point = true,
                                .interruption = INTERRUPTED,
                                .waits = sleeps});
    if (self->interrupted) {
        errno = EINTR;
        return -1;
    }
    time_reach(end);
    give_way();
    return 0;
}

static void give_way_at(const char *name, bool cancellation_point, Site site)
{
    nothing_at(name, cancellation_point, site);
    give_way();
}

int sched_yield(void) { give_way_at("yield", false, HERE); return 0; }
void thrd_yield(void) { give_way_at("yield", false, HERE); }
unsigned sleep(unsigned seconds) { return sleep_at(seconds * 1000000000ul, HERE) == 0 ? 0 : seconds; }
int usleep(unsigned time) { return sleep_at(time * 1000ul, HERE); }

int nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)left;
    argument_read(time, sizeof *time, HERE);
    return sleep_at((uint64_t)time->tv_sec * 1000000000ul + (uint64_t)time->tv_nsec, HERE);
}

/* The end of the process is a step that everything else comes before or never. */
static void process_end(int status, Site site)
{
    announce((struct operation){.name = "exit", .site = site});
    touch_everything();
    if (status != 0)
        note_finding("exit %d", status);
    end_here(NULL, 0);
}

void __wrap_exit(int status) { process_end(status, HERE); __builtin_unreachable(); }
void __wrap__exit(int status) { process_end(status, HERE); __builtin_unreachable(); }

void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
{
    (void)condition, (void)function;
    const char *name = strrchr(file, '/');
    note_finding("assertion %s:%u", name != NULL ? name + 1 : file, line);
    end_here(NULL, 0);
}

static unsigned as_many(struct thread *thread)
{
    return (unsigned)thread->operation.argument;
}

unsigned bohr_choose(unsigned outcomes)
{
    announce((struct operation){.name = "choose", .outcomes = as_many, .argument = outcomes, .site = HERE});
    return self->choice;
}

int bohr_running(void) { return 1; }

/* An annotation's object is the pointer itself, not the memory there. */
static const void *annotated(const volatile void *object)
{
    return (const void *)((uintptr_t)object ^ 1ul << 62);
}

void bohr_happens_before(const volatile void *object)
{
    announce((struct operation){.name = "happens before", .site = HERE});
    touch(annotated(object), true);
    release_again(annotated(object));
}

void bohr_happens_after(const volatile void *object)
{
    announce((struct operation){.name = "happens after", .site = HERE});
    touch(annotated(object), false);
    acquire(annotated(object));
}
