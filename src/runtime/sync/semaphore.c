/* Semaphores. The value is where libc keeps it: in the first word of the program's sem_t. The last
 * one is marked when it is initialised or destroyed by a call. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <string.h>

#include "runtime/engine/misuse.h"
#include "runtime/engine/object.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/upper.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/progress/await.h"
#include "runtime/sync/sync_calls.h"
#include "runtime/time/alert.h"
#include "runtime/time/timeout.h"

static uint32_t *value_of(void *semaphore)
{
    return semaphore;
}

static uint64_t *mark_of(void *semaphore)
{
    return (uint64_t *)((char *)semaphore + sizeof(sem_t)) - 1;
}

/* Zeros: there is no static initialiser, so nobody can have meant it. */
static bool is_untouched(const void *semaphore)
{
    const uint64_t *word = semaphore;
    uint64_t any = 0;
    for (size_t i = 0; i < sizeof(sem_t) / sizeof *word; i++)
        any |= word[i];
    return any == 0;
}

static void check(void *semaphore, uintptr_t site)
{
    uint64_t *mark = mark_of(semaphore);
    memory_uses(ex.me->object, semaphore, site);
    step_before(*(const uint32_t *)semaphore);
    if (likely(*mark == MARK_BEGUN))
        return;
    if (*mark == MARK_ENDED || is_untouched(semaphore))
        misuse_of_dead(SEMAPHORE_NOUN, semaphore, site);
    if (*mark == 0)
        *mark = MARK_BEGUN; /* to libc it is one of value 0: it is one from now on */
}

static int fail(int error)
{
    errno = error;
    return -1;
}

static bool is_positive(const void *semaphore)
{
    return *(const uint32_t *)semaphore > 0;
}

bool semaphore_can_wait(const void *semaphore)
{
    return is_positive(semaphore) || unlikely(is_untouched(semaphore));
}

static int take(void *semaphore, uint32_t object)
{
    step_touch(object, OP_ACCESS_WRITE);
    --*value_of(semaphore);
    race_acquire(&ex.race, &object_state(object)->sync);
    return 0;
}

static int fail_to_take(uint32_t object, int error)
{
    step_touch(object, OP_ACCESS_READ);
    step_failed();
    return fail(error);
}

int semaphore_wait(void *semaphore, uintptr_t site)
{
    uint32_t object = object_number(semaphore);
    memory_look(semaphore, site);
    ex.me->mutex = semaphore;
    do {
        if (!announce_interruptible(
                (struct op){.kind = OP_SEM_WAIT, .choices = 1, .object = object, .site = site},
                RESTARTED))
            return fail(EINTR);
        check(semaphore, site);
    } while (unlikely(!is_positive(semaphore))); /* never initialised: it waits, all the same */
    return take(semaphore, object);
}

int semaphore_trywait(void *semaphore, const struct local *local)
{
    uint32_t object = object_number(semaphore);
    ex.me->mutex = semaphore;
    await_before_read(semaphore, sizeof(uint32_t), object, local);
    announce_on(OP_SEM_TRYWAIT, object, local->site);
    check(semaphore, local->site);
    if (is_positive(semaphore))
        return take(semaphore, object);
    await_after_read();
    return fail_to_take(object, EAGAIN);
}

int semaphore_timedwait(void *semaphore, struct timeout timeout, uintptr_t site)
{
    timeout_is_read(&timeout, OP_SEM_TIMEDWAIT, site);
    if (!timeout_is_valid(&timeout))
        return fail(EINVAL);
    uint32_t object = object_number(semaphore);
    memory_look(semaphore, site);
    ex.me->mutex = semaphore;
    timeout_begin(&timeout);
    if (!announce_interruptible(
            (struct op){.kind = OP_SEM_TIMEDWAIT, .choices = 1, .object = object, .site = site},
            INTERRUPTED))
        return fail(EINTR);
    check(semaphore, site);
    if (is_positive(semaphore))
        return take(semaphore, object);
    return fail_to_take(object, timeout_step(&timeout));
}

int semaphore_post(void *semaphore, uintptr_t site)
{
    uint32_t object = object_number(semaphore);
    announce_on(OP_SEM_POST, object, site);
    check(semaphore, site);
    if (*value_of(semaphore) == SEM_VALUE_MAX)
        return fail_to_take(object, EOVERFLOW);
    step_touch(object, OP_ACCESS_WRITE);
    ++*value_of(semaphore);
    race_release_more(&ex.race, &object_state(object)->sync);
    return 0;
}

int semaphore_value(void *semaphore, int *value, const struct local *local)
{
    uint32_t object = object_number(semaphore);
    await_before_read(semaphore, sizeof(uint32_t), object, local);
    announce_on(OP_SEM_VALUE, object, local->site);
    check(semaphore, local->site);
    await_after_read();
    step_touch(object, OP_ACCESS_READ);
    int now = (int)*value_of(semaphore);
    memory_access(value, sizeof *value, true, local->site);
    *value = now;
    return 0;
}

static thread_id waiter_for(const void *semaphore)
{
    if (is_positive(semaphore))
        return NO_THREAD;
    THREADS_EACH(thread, &ex.live)
    {
        uint8_t kind = ex.pending[thread].kind;
        if (thread != ex.current && (kind == OP_SEM_WAIT || kind == OP_SEM_TIMEDWAIT) &&
            alias_same(ex.threads[thread].mutex, semaphore))
            return thread;
    }
    return NO_THREAD;
}

int semaphore_init(void *semaphore, unsigned value, uintptr_t site)
{
    if (value > SEM_VALUE_MAX)
        return fail(EINVAL);
    memory_access(semaphore, sizeof(sem_t), true, site);
    life_begin(SEMAPHORE_NOUN, semaphore, *mark_of(semaphore) == MARK_BEGUN, site);
    memset(semaphore, 0, sizeof(sem_t));
    *mark_of(semaphore) = MARK_BEGUN;
    *value_of(semaphore) = value;
    return 0;
}

int semaphore_destroy(void *semaphore, uintptr_t site)
{
    memory_access(semaphore, sizeof(sem_t), true, site);
    thread_id waiter = waiter_for(semaphore);
    if (waiter != NO_THREAD)
        misuse_with(SEMAPHORE_NOUN, "is destroyed that a thread waits for", semaphore, site, waiter,
                    ex.pending[waiter].site);
    life_end(SEMAPHORE_NOUN, semaphore, *mark_of(semaphore) == MARK_ENDED, site);
    *mark_of(semaphore) = MARK_ENDED;
    return 0;
}

void semaphore_begun(void *semaphore)
{
    *mark_of(semaphore) = MARK_BEGUN;
}

struct named {
    sem_t semaphore;
    struct named *next;
    uint32_t opened; /* how often, less how often closed */
    bool linked;     /* the name still means this one */
    char name[NAME_MAX + 1];
};

static struct named *all_named; /* the program's state: put back with the rest */

static void announce_names(uintptr_t site)
{
    uint32_t object = object_number(&all_named);
    announce_on(OP_SEM_NAME, object, site);
    step_touch(object, OP_ACCESS_WRITE);
    race_acquire(&ex.race, &object_state(object)->sync);
    race_release(&ex.race, &object_state(object)->sync);
}

/* The name without its slashes; otherwise NULL and why. */
static const char *check_name(const char *name, int *error)
{
    while (*name == '/')
        name++;
    size_t size = 0;
    bool slash = false;
    for (; name[size] != 0; size++)
        slash |= name[size] == '/';
    *error = 0;
    if (size == 0 || size >= NAME_MAX || slash)
        *error = EINVAL; /* much too long: glibc says so, too */
    else if (size > NAME_MAX - strlen("sem."))
        *error = ENAMETOOLONG;
    return *error == 0 ? name : NULL;
}

static struct named *find_named(const char *name)
{
    struct named *named = all_named;
    while (named != NULL && !(named->linked && strcmp(named->name, name) == 0))
        named = named->next;
    return named;
}

static struct named *add_named(const char *name, unsigned value, uintptr_t site)
{
    struct named *named = malloc_take(sizeof *named, _Alignof(struct named), site);
    if (named == NULL)
        return NULL;
    memset(named, 0, sizeof *named);
    memcpy(named->name, name, strlen(name) + 1);
    *value_of(&named->semaphore) = value;
    *mark_of(&named->semaphore) = MARK_BEGUN;
    named->linked = true;
    named->next = all_named;
    all_named = named;
    return named;
}

static void *fail_to_open(int error)
{
    errno = error;
    return SEM_FAILED;
}

void *semaphore_open(const char *name, int flags, unsigned value, uintptr_t site)
{
    int error;
    called_reads_before(OP_SEM_NAME, name, strlen(name) + 1, site);
    name = check_name(name, &error);
    if (name == NULL)
        return fail_to_open(error);
    announce_names(site);
    struct named *named = find_named(name);
    if (named == NULL) {
        if (!(flags & O_CREAT))
            return fail_to_open(ENOENT);
        if (value > SEM_VALUE_MAX)
            return fail_to_open(EINVAL);
        named = add_named(name, value, site);
        if (named == NULL)
            return fail_to_open(ENOMEM);
    } else if ((flags & O_CREAT) && (flags & O_EXCL)) {
        return fail_to_open(EEXIST);
    }
    named->opened++;
    return &named->semaphore;
}

int semaphore_close(void *semaphore, uintptr_t site)
{
    announce_names(site);
    struct named *named = all_named;
    while (named != NULL && &named->semaphore != semaphore)
        named = named->next;
    if (named == NULL || named->opened == 0)
        return fail(EINVAL);
    named->opened--;
    return 0;
}

int semaphore_unlink(const char *name, uintptr_t site)
{
    int error;
    called_reads_before(OP_SEM_NAME, name, strlen(name) + 1, site);
    name = check_name(name, &error);
    if (name == NULL)
        return fail(error == EINVAL ? ENOENT : error);
    announce_names(site);
    struct named *named = find_named(name);
    if (named == NULL)
        return fail(ENOENT);
    named->linked = false;
    return 0;
}
