/* A subtree: part of a search as a value, which one worker can give to another, or which may be
 * stored.
 *
 * A subtree says where the search stands, not how it got there: the decisions that lead to the
 * first of its executions, and the first step that may be changed. A reduction adds its sleep sets
 * and pending work, in numbers of its own. A subtree takes some hundred bytes, as a rule. It is
 * guarded by a version, its length and a checksum. Several subtrees, one behind the other, are a
 * parcel. */
#ifndef CORE_SUBTREE_H
#define CORE_SUBTREE_H

#include "core/numbers.h"
#include "core/schedule.h"

enum {
    SUBTREE_NAME_MAX = 32,
    SUBTREE_HEAD_BYTES = 96,     /* most bytes of a subtree without its decisions */
    SUBTREE_DECISION_BYTES = 10, /* most bytes of one decision */
    /* Most bytes of a parcel with several subtrees: the worker that takes it in saves what that
     * changes in one journal transaction. */
    PARCEL_BYTES = 1 << 15,
    /* The box that carries a parcel, for executions of any length: its least size, and what each
     * step adds. The longest task of a reduction has a decision and an event for each step. */
    BOX_BYTES = 1 << 20,
    BOX_STEP_BYTES = 128,
};

struct subtree {
    char strategy[SUBTREE_NAME_MAX];
    int32_t bound;                 /* the bound being searched when the subtree was given away */
    uint32_t floor;                /* steps before this one stay as they are */
    uint32_t check;                /* fingerprint of the steps before the last decision */
    uint64_t first, count;         /* executions of a sample, by number; count 0: all that follow */
    const struct decision *prefix; /* by rising step */
    uint32_t prefix_count;
    struct numbers rest; /* when read: numbers of the strategy's own */
};

struct parcel {
    uint8_t *bytes;
    uint32_t size, used; /* when writing: filled up to `used`; when reading: read up to `used` */
    const struct naming *names; /* for the objects' names; no part of the bytes */
    /* a reduction writes only what other workers must know, and keeps its pending work */
    bool news;
};

static inline uint64_t box_bytes(uint32_t steps_max)
{
    return BOX_BYTES + (uint64_t)BOX_STEP_BYTES * steps_max;
}

/* Whether one more subtree may go into the parcel. */
bool parcel_has_room(const struct parcel *parcel, uint32_t decisions);
/* Appends a subtree that fits. */
void parcel_put(struct parcel *parcel, const struct subtree *subtree);
/* Subtrees with numbers of the strategy's own: parcel_begin() returns where they go, parcel_end()
 * takes them. Without parcel_end() nothing was written. */
struct numbers parcel_begin(const struct parcel *parcel, const struct subtree *subtree);
void parcel_end(struct parcel *parcel, const struct numbers *numbers);
/* Reads the next subtree, its decisions into `prefix`, which has room for so many; NULL: they are
 * only checked. Returns false at the end, and (used < size) at bytes that are no subtree. */
bool parcel_take(struct parcel *parcel, struct subtree *subtree, struct decision *prefix,
                 uint32_t room);
/* Whether the bytes are subtrees, at least one, and nothing else. */
bool parcel_is_sound(const uint8_t *bytes, uint32_t size);

#endif
