/* Part of a search, as a value: what one worker gives to another, or may be stored or sent.
 *
 * It says where the search stands, not how it came there: the decisions that lead to the first of
 * its executions, and the first step that may be changed; a reduction adds what sleeps and what is
 * to be run, in bytes of its own. As bytes it is some hundred long and guarded by a version, its
 * length and a checksum. Several of them one behind the other are a parcel. */
#ifndef CORE_SUBTREE_H
#define CORE_SUBTREE_H

#include "core/schedule.h"

/* Objects have numbers that only one worker knows, and names that all know. NULL: the number is the
 * name. */
struct naming {
    uint64_t (*name)(void *context, uint32_t object);
    uint32_t (*number)(void *context, uint64_t name);
    void *context;
};

enum {
    SUBTREE_NAME_MAX = 32,
    SUBTREE_DECISIONS_MAX = 2048, /* a longer prefix is not given away */
    SUBTREE_HEAD_BYTES = 96,      /* at most, and … */
    SUBTREE_DECISION_BYTES = 10,  /* … so many for each decision */
    PARCEL_BYTES = 1 << 15,       /* what takes one in must find room in one journal transaction */
    PARCEL_BYTES_MAX = 1 << 20,   /* of a reduction: most of it is not saved there */
};

struct subtree {
    char strategy[SUBTREE_NAME_MAX];
    int32_t bound;                 /* being searched when it was given away */
    uint32_t floor;                /* steps before this one stay as they are */
    uint32_t check;                /* fingerprint of the steps before the last decision */
    uint64_t first, count;         /* a sample's executions, by number; 0: all that follow */
    const struct decision *prefix; /* by rising step */
    uint32_t prefix_count;
    const uint8_t *extra; /* what else its strategy says of it (strategy/letter.h) */
    uint32_t extra_size;
    const struct naming *names; /* of objects there; no part of the value */
};

struct parcel {
    uint8_t *bytes;
    uint32_t size, used;        /* writing: filled up to here; reading: read up to here */
    const struct naming *names; /* for who writes or reads; no part of the bytes, nor … */
    bool news; /* … that a reduction shall tell what others must know, and keep what it has to do */
};

bool parcel_has_room(const struct parcel *parcel, uint32_t decisions);
uint32_t parcel_room(const struct parcel *parcel,
                     uint32_t decisions); /* bytes of extra beside them */
/* For what has room. */
void parcel_put(struct parcel *parcel, const struct subtree *subtree);
/* The next one, its prefix in `prefix`. false: the end, or (used < size) what is no subtree. */
bool parcel_take(struct parcel *parcel, struct subtree *subtree,
                 struct decision prefix[SUBTREE_DECISIONS_MAX]);
/* Whether it holds nothing but subtrees, and at least one. */
bool parcel_is_sound(const uint8_t *bytes, uint32_t size);

#endif
