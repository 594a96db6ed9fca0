/* The footprint of a step: what the step touches, small enough to be kept for a step that has not
 * run yet. */
#ifndef STRATEGY_FOOTPRINT_H
#define STRATEGY_FOOTPRINT_H

#include "core/trace.h"

enum { FOOTPRINT_MAX = 8 };

struct footprint {
    struct touch touches[FOOTPRINT_MAX];
    uint8_t count;
    uint8_t chooses; /* the step has several outcomes */
    uint8_t all;     /* the step depends on every other step, or touches more than fits */
    uint8_t unsure;  /* a read that may be a futile iteration of a loop */
};

struct event { /* A step that may run: its thread, its outcome, and what it will touch. */
    thread_id thread;
    uint16_t choice;
    struct footprint footprint;
};

static inline void footprint_add(struct footprint *footprint, struct touch touch)
{
    if (footprint->count == FOOTPRINT_MAX)
        footprint->all = true;
    else
        footprint->touches[footprint->count++] = touch;
}

/* Adds a touch so that each object is listed once, with the stronger access. */
static inline void footprint_include(struct footprint *footprint, struct touch touch)
{
    for (uint32_t i = 0; i < footprint->count; i++)
        if (footprint->touches[i].object == touch.object) {
            if (touch.access == TOUCH_WRITES)
                footprint->touches[i].access = TOUCH_WRITES;
            return;
        }
    footprint_add(footprint, touch);
}

/* Loads a step that ran. The threads that the step wakes or follows are no part of its footprint:
 * neither order could be reversed. */
static inline void event_load(struct event *event, const struct step *steps,
                              const struct touch *touches, uint32_t step)
{
    event->thread = steps[step].thread;
    event->choice = steps[step].choice;
    event->footprint.count = event->footprint.unsure = 0;
    event->footprint.chooses = steps[step].op.choices > 1;
    event->footprint.all = (steps[step].flags & (STEP_ENDS | STEP_ALL)) != 0;
    for (uint32_t i = trace_touches_begin(steps, step); i < steps[step].touches_end; i++)
        if (touches[i].access == TOUCH_READS || touches[i].access == TOUCH_WRITES)
            footprint_add(&event->footprint, touches[i]);
}

static inline bool touches_conflict(struct touch a, struct touch b)
{
    return a.object == b.object && (a.access == TOUCH_WRITES || b.access == TOUCH_WRITES);
}

/* The case of one touch each comes first because most steps touch one object. */
static inline bool footprints_conflict(const struct footprint *a, const struct footprint *b)
{
    if (a->all | b->all)
        return true;
    if (a->count == 1 && b->count == 1)
        return touches_conflict(a->touches[0], b->touches[0]);
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++)
            if (touches_conflict(a->touches[i], b->touches[k]))
                return true;
    return false;
}

static inline bool events_depend(const struct event *a, const struct event *b)
{
    return a->thread == b->thread || footprints_conflict(&a->footprint, &b->footprint);
}

/* Whether both events have the same thread and the same outcome. */
static inline bool event_is(const struct event *event, const struct event *other)
{
    return event->thread == other->thread && event->choice == other->choice;
}

/* Footprint of a wake that no thread signalled, with the mutex in this state. If the mutex is
 * taken, the thread waits for it in another step. */
struct footprint footprint_of_timeout(const struct op *op, uint32_t before);
/* Footprint of an operation that did not run, if its object were in this state. */
struct footprint footprint_predicted(const struct op *op, uint32_t before);

#endif
