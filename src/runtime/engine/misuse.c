#include "runtime/engine/misuse.h"

#include "base/mix.h"
#include "base/out.h"
#include "runtime/engine/flight.h"
#include "runtime/engine/object.h"

/* The last call that initialised or destroyed the object at an address, in this execution. */
struct life {
    struct life *next;
    const void *object;
    const char *noun;
    uintptr_t site;
    thread_id thread;
    bool ended;
};

enum { LIFE_LISTS = 64, UNTIDY_MAX = 16 };
struct lives {
    struct life *lists[LIFE_LISTS];
};

/* An error and a warning of one place are two findings. */
enum key { KEY_ERROR, KEY_UNTIDY, KEY_IN_CHILD };

static struct finding *add(const char *noun, const char *what, const void *object, uintptr_t site,
                           enum key key)
{
    char text[FINDING_TEXT_MAX];
    struct out out = out_to(-1, text, sizeof text);
    out_text(&out, noun);
    out_char(&out, ' ');
    out_text(&out, what);
    struct finding *finding = finding_add(FINDING_MISUSE, out_string(&out), site, key);
    if (finding == NULL)
        return NULL;
    finding->address = (uint64_t)object;
    finding->object = object == NULL ? NO_OBJECT : object_number(object);
    return finding;
}

void misuse_with(const char *noun, const char *what, const void *object, uintptr_t site,
                 thread_id other, uintptr_t other_site)
{
    struct finding *finding = add(noun, what, object, site, KEY_ERROR);
    if (finding != NULL)
        finding->places[1] = (struct place){.site = other_site, .thread = other};
}

void misuse(const char *noun, const char *what, const void *object, uintptr_t site)
{
    misuse_with(noun, what, object, site, NO_THREAD, 0);
}

struct finding *misuse_in_child(const char *noun, const void *object, uintptr_t site)
{
    return add(noun, FINDING_HELD_AT_FORK, object, site, KEY_IN_CHILD);
}

static struct life **list_of(const void *object)
{
    if (ex.lives == NULL)
        ex.lives = execution_take(sizeof *ex.lives);
    return &ex.lives->lists[(alias_name(object) >> 3) % LIFE_LISTS];
}

static struct life *find(const void *object)
{
    struct life *life = *list_of(object);
    while (life != NULL && !alias_same(life->object, object))
        life = life->next;
    return life;
}

static void remember(struct life *life, const char *noun, const void *object, bool ended,
                     uintptr_t site)
{
    if (life == NULL) {
        struct life **list = list_of(object);
        life = execution_take(sizeof *life);
        *life = (struct life){.next = *list, .object = object};
        *list = life;
    }
    life->noun = noun;
    life->ended = ended;
    life->site = site;
    life->thread = ex.current;
}

/* Where a function returned without destroying it, the memory may be another object's by now. */
static bool is_on_stack(const void *object)
{
    for (uint32_t i = 0; i < ex.thread_count; i++)
        if ((const char *)object >= rt.stacks[i].low && (const char *)object < rt.stacks[i].top)
            return true;
    return false;
}

void misuse_of_dead(const char *noun, const void *object, uintptr_t site)
{
    const struct life *life = find(object);
    if (life != NULL && life->ended)
        misuse_with(noun, "is used after it was destroyed", object, site, life->thread, life->site);
    else
        misuse(noun, "is used that was never initialised", object, site);
}

/* The kind of a lock at an address, by how it was initialised. */
static const char *noun_of(const void *lock)
{
    const struct life *life = ex.lives == NULL ? NULL : find(lock);
    return life == NULL ? "a lock" : life->noun;
}

static void check_held(thread_id holder, const void *start, size_t size, const char *what,
                       uintptr_t site)
{
    const struct thread *thread = &ex.threads[holder];
    for (uint32_t i = 0; i < thread->locks.held_count && i < LOCKS_HELD_MAX; i++) {
        const void *lock = (const void *)the_board->objects[thread->locks.held[i]].address;
        if ((uintptr_t)lock - (uintptr_t)start < size)
            misuse_with(noun_of(lock), what, lock, site, holder, 0);
    }
}

void misuse_of_locked(const void *start, size_t size, const char *what, uintptr_t site)
{
    for (thread_id i = 0; i < ex.thread_count; i++)
        if (unlikely(ex.threads[i].locks.held_count > 0))
            check_held(i, start, size, what, site);
}

void life_begin(const char *noun, const void *object, bool marked, uintptr_t site)
{
    struct life *life = find(object);
    if (marked && life != NULL && !life->ended && !is_on_stack(object))
        misuse_with(noun, "is initialised again and was not destroyed", object, site, life->thread,
                    life->site);
    remember(life, noun, object, false, site);
}

void life_end(const char *noun, const void *object, bool marked, uintptr_t site)
{
    struct life *life = find(object);
    if (marked && life != NULL && life->ended)
        misuse_with(noun, "is destroyed twice", object, site, life->thread, life->site);
    else
        remember(life, noun, object, true, site);
}

uint64_t lives_digest(uint64_t (*word)(uint64_t))
{
    uint64_t sum = 0;
    for (int i = 0; ex.lives != NULL && i < LIFE_LISTS; i++)
        for (const struct life *life = ex.lives->lists[i]; life != NULL; life = life->next)
            sum += mix_fold(word((uint64_t)life->object) ^ (uint64_t)life->noun,
                            life->ended ^ 0xbf58476d1ce4e5b9);
    return sum;
}

/* Whether there is room for a warning: what matters more must not be dropped for it. */
static bool has_room(void)
{
    uint32_t untidy = 0;
    for (uint32_t i = 0; i < the_board->flight.finding_count; i++)
        untidy += the_board->flight.findings[i].severity == SEVERITY_WARNING;
    return untidy < UNTIDY_MAX && the_board->flight.finding_count < FLIGHT_MAX &&
           the_board->tally.finding_count < FINDINGS_MAX / 2;
}

static struct finding *warn(const char *noun, const char *what, const void *object, uintptr_t site,
                            thread_id thread)
{
    struct finding *finding = has_room() ? add(noun, what, object, site, KEY_UNTIDY) : NULL;
    if (finding == NULL)
        return NULL;
    finding->severity = SEVERITY_WARNING;
    finding->thread = finding->places[0].thread = thread;
    return finding;
}

static void warn_of_threads(void)
{
    THREADS_EACH(thread, &ex.live)
    {
        if (thread == ex.current || ex.threads[thread].time.timer != NULL)
            continue;
        struct finding *finding = warn("a thread", "still runs when the program ends", NULL,
                                       ex.pending[ex.current].site, ex.current);
        if (finding != NULL)
            finding->places[1] = (struct place){.site = ex.pending[thread].site, .thread = thread};
        return; /* one of them stands for all */
    }
}

void misuse_at_end(void)
{
    for (int i = 0; ex.lives != NULL && i < LIFE_LISTS; i++)
        for (const struct life *life = ex.lives->lists[i]; life != NULL; life = life->next)
            if (!life->ended)
                warn(life->noun, "is never destroyed", life->object, life->site, life->thread);
    warn_of_threads();
}
