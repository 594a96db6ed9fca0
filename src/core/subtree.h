/* A subtree: part of a search as a value, which one worker can give to another, or which may be
 * stored.
 *
 * A subtree says where the search stands, not how it got there: the decisions that lead to the
 * first of its executions, and the first step that may be changed. A reduction adds its sleep sets
 * and pending work, in bytes of its own. A subtree takes some hundred bytes, guarded by a version,
 * its length and a checksum. Several subtrees, one behind the other, are a parcel. */
#ifndef CORE_SUBTREE_H
#define CORE_SUBTREE_H

#include "core/schedule.h"

/* How object numbers, which only one worker understands, become names that all workers understand,
 * and back. NULL: the number is the name. */
struct naming {
    uint64_t (*name)(void *context, uint32_t object);
    uint32_t (*number)(void *context, uint64_t name);
    void *context;
};

enum {
    SUBTREE_NAME_MAX = 32,
    SUBTREE_DECISIONS_MAX = 2048, /* a longer prefix is not given away */
    SUBTREE_HEAD_BYTES = 96,      /* most bytes of a subtree without its decisions */
    SUBTREE_DECISION_BYTES = 10,  /* most bytes of one decision */
    /* the worker that takes a parcel in saves it in one journal transaction */
    PARCEL_BYTES = 1 << 15,
    /* of a reduction: most of the parcel is not saved in the transaction */
    PARCEL_BYTES_MAX = 1 << 20,
};

struct subtree {
    char strategy[SUBTREE_NAME_MAX];
    int32_t bound;                 /* the bound being searched when the subtree was given away */
    uint32_t floor;                /* steps before this one stay as they are */
    uint32_t check;                /* fingerprint of the steps before the last decision */
    uint64_t first, count;         /* executions of a sample, by number; count 0: all that follow */
    const struct decision *prefix; /* by rising step */
    uint32_t prefix_count;
    const uint8_t *extra; /* further bytes of the strategy (strategy/parallel/letter.h) */
    uint32_t extra_size;
    const struct naming *names; /* names of the objects in `extra`; no part of the value */
};

struct parcel {
    uint8_t *bytes;
    uint32_t size, used; /* when writing: filled up to `used`; when reading: read up to `used` */
    const struct naming *names; /* for the objects' names; no part of the bytes */
    /* a reduction writes only what other workers must know, and keeps its pending work */
    bool news;
};

bool parcel_has_room(const struct parcel *parcel, uint32_t decisions);
uint32_t parcel_room(const struct parcel *parcel,
                     uint32_t decisions); /* bytes of `extra` that fit beside the decisions */
/* Appends a subtree that fits. */
void parcel_put(struct parcel *parcel, const struct subtree *subtree);
/* Reads the next subtree, its decisions into `prefix`. Returns false at the end, and (used < size)
 * at bytes that are no subtree. */
bool parcel_take(struct parcel *parcel, struct subtree *subtree,
                 struct decision prefix[SUBTREE_DECISIONS_MAX]);
/* Whether the bytes are subtrees, at least one, and nothing else. */
bool parcel_is_sound(const uint8_t *bytes, uint32_t size);

#endif
