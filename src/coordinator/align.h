/* Which step of one execution is which of another, of a program that was edited in between.
 *
 * Threads are matched by (parent, k-th child) and by what they do, the steps of a thread by
 * operation, function and object; never by addresses, lines or numbers. */
#ifndef COORDINATOR_ALIGN_H
#define COORDINATOR_ALIGN_H

#include "core/op.h"
#include "core/thread.h"

struct landmark { /* a step by its names */
    thread_id thread;
    uint8_t kind; /* enum op_kind */
    uint16_t choice;
    const char *function; /* empty: unknown */
    const char *object;   /* empty: none; of create, join and the like: "T<thread>" */
};

struct landmarks {
    struct landmark *steps;
    uint32_t count;
};

#define NO_STEP UINT32_MAX

struct followed {     /* how far the second execution went the way of the first */
    uint32_t steps;   /* of the first, … */
    uint32_t matched; /* … so many of which came in the same order, … */
    uint32_t reached; /* … the last of them as the how-manieth */
    uint32_t added;   /* steps of the second that came in between */
    uint32_t stray; /* the first step of the first that did not come in its place; NO_STEP: none */
};

/* to[i]: the step of `came` that is step i of `recorded`, or NO_STEP. */
void align(const struct landmarks *recorded, const struct landmarks *came, uint32_t *to);
struct followed align_followed(const struct landmarks *recorded, const struct landmarks *came,
                               const uint32_t *to);
/* Whether two names differ in nothing but numbers: offsets, blocks and threads are counted anew. */
bool names_are_alike(const char *one, const char *other);

#endif
