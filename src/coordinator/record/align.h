/* Aligns two executions of a program that was edited in between: which step of one is which step of
 * the other.
 *
 * Threads are matched by (parent, k-th child) and by what they do; the steps of a thread by
 * operation, function and object. Addresses, lines and numbers change with every edit, so the
 * alignment never uses them. */
#ifndef COORDINATOR_RECORD_ALIGN_H
#define COORDINATOR_RECORD_ALIGN_H

#include "core/op.h"
#include "core/thread.h"

struct landmark { /* a step, described by names */
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

struct followed {     /* how far the second execution followed the first */
    uint32_t steps;   /* steps of the first execution */
    uint32_t matched; /* steps of the first execution that came in the same order in the second */
    uint32_t reached; /* the last matched step, counted from 1 in the first execution */
    uint32_t added;   /* steps of the second execution between the matched ones */
    /* first step of the first execution that did not come in its place; NO_STEP: none */
    uint32_t stray;
};

/* Fills in to[i]: the step of `came` that is step i of `recorded`, or NO_STEP. */
void align(const struct landmarks *recorded, const struct landmarks *came, uint32_t *to);
struct followed align_followed(const struct landmarks *recorded, const struct landmarks *came,
                               const uint32_t *to);
/* Whether two names differ only in numbers: an edit changes offsets and the numbers of blocks and
 * threads. */
bool names_are_alike(const char *one, const char *other);

#endif
