#include "coordinator/why.h"

#include <string.h>

#include "coordinator/text.h"

static const char *place(const struct named_site *at)
{
    if (at->file == NULL)
        return at->module != NULL ? text_print(" (in %s)", at->module) : "";
    const char *slash = strrchr(at->file, '/');
    const char *file = slash == NULL ? at->file : slash + 1;
    return at->function != NULL ? text_print(" (%s, %s:%u)", at->function, file, at->line)
                                : text_print(" (%s:%u)", file, at->line);
}

static const char *object_of(const struct reported *reported)
{
    return reported->object != NULL && *reported->object != 0 ? reported->object : "memory";
}

static const char *access_verb(const struct place *place)
{
    if (place->atomic)
        return place->writes ? "changes it atomically" : "reads it atomically";
    return place->writes ? "writes it" : "reads it";
}

static const char *why_race(const struct reported *reported)
{
    const struct place *later = &reported->finding.places[0], *earlier = later + 1;
    return text_print("%s: T%u %s%s, T%u %s%s, and nothing makes one come before the other",
                      object_of(reported), earlier->thread, access_verb(earlier),
                      place(&reported->places[1]), later->thread, access_verb(later),
                      place(&reported->places[0]));
}

static const struct story_wait *wait_of(const struct reported *reported, thread_id thread)
{
    for (uint32_t i = 0; i < reported->wait_count; i++)
        if (reported->waits[i].thread == thread)
            return &reported->waits[i];
    return NULL;
}

/* Whom it waits for, if that one waits too. */
static const struct story_wait *next_in_circle(const struct reported *reported,
                                               const struct story_wait *wait)
{
    return wait->owner == NO_THREAD ? NULL : wait_of(reported, wait->owner);
}

/* A wait that comes round to itself; NULL: none does. */
static const struct story_wait *circle(const struct reported *reported)
{
    for (uint32_t i = 0; i < reported->wait_count; i++) {
        const struct story_wait *at = next_in_circle(reported, &reported->waits[i]);
        for (uint32_t k = 0; k < reported->wait_count && at != NULL; k++) {
            if (at == &reported->waits[i])
                return at;
            at = next_in_circle(reported, at);
        }
    }
    return NULL;
}

static const char *wait_text(const struct story_wait *wait)
{
    if (wait->kind == OP_JOIN)
        return text_print("T%u waits for T%u to end", wait->thread, wait->owner);
    if (wait->owner == wait->thread)
        return text_print("T%u waits for %s, which it holds itself", wait->thread, wait->object);
    return text_print("T%u waits for %s, which T%u holds", wait->thread, wait->object, wait->owner);
}

static const char *why_deadlock(const struct reported *reported)
{
    const struct story_wait *first = circle(reported);
    if (first == NULL)
        return NULL;
    const char *text = wait_text(first);
    for (const struct story_wait *at = next_in_circle(reported, first); at != first;
         at = next_in_circle(reported, at))
        text = text_print("%s; %s", text, wait_text(at));
    return text;
}

static const char *why_freed(const struct reported *reported)
{
    const struct place *use = &reported->finding.places[0], *freed = use + 1;
    if (freed->thread == NO_THREAD || reported->places[1].file == NULL)
        return NULL;
    return text_print("%s: T%u %s%s after T%u freed it%s", object_of(reported), use->thread,
                      reported->finding.kind == FINDING_DOUBLE_FREE ? "frees it" : access_verb(use),
                      place(&reported->places[0]), freed->thread, place(&reported->places[1]));
}

static const char *why_outside(const struct reported *reported)
{
    const struct place *use = &reported->finding.places[0];
    if (use->size == 0) /* it shows only when the block is freed */
        return NULL;
    return text_print("T%u %s %u byte%s%s at %s", use->thread, use->writes ? "writes" : "reads",
                      use->size, use->size == 1 ? "" : "s", place(&reported->places[0]),
                      object_of(reported));
}

static const char *why_ended(const struct reported *reported)
{
    const struct place *use = &reported->finding.places[0];
    return text_print("T%u %s%s what lies on the stack of T%u, which has ended", use->thread,
                      use->writes ? "writes" : "reads", place(&reported->places[0]),
                      reported->finding.places[1].thread);
}

static const char *why_order(const struct reported *reported)
{
    const struct place *one = &reported->finding.places[0], *other = one + 1;
    return text_print("T%u takes %s%s while it holds a lock that T%u%s would wait for, and the "
                      "other way round",
                      one->thread, object_of(reported), place(&reported->places[0]), other->thread,
                      place(&reported->places[1]));
}

const char *why_text(const struct reported *reported)
{
    switch ((enum finding_kind)reported->finding.kind) {
    case FINDING_RACE: return why_race(reported);
    case FINDING_DEADLOCK: return why_deadlock(reported);
    case FINDING_USE_AFTER_FREE:
    case FINDING_DOUBLE_FREE: return why_freed(reported);
    case FINDING_OUT_OF_BOUNDS: return why_outside(reported);
    case FINDING_USE_AFTER_RETURN: return why_ended(reported);
    case FINDING_LOCK_ORDER: return why_order(reported);
    default: return NULL;
    }
}
