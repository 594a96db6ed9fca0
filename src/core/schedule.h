/* What to do next: an execution is fixed by where it leaves the default.
 *
 * The default at a scheduling point is the first alternative in round-robin order: the thread that
 * ran last if it is enabled, else the next one in creation order; data choice 0. A schedule lists
 * the steps that differ; after the last of them choose() decides. So a schedule is short, and what
 * it says is what a person wants to know: where another thread comes in. */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include "core/op.h"
#include "core/thread.h"

enum {
    STEP_BITS = 20,  /* a step's number fits in so many */
    CHECK_BITS = 20, /* of a fingerprint, kept with a schedule */
};

struct decision {
    uint32_t step;
    thread_id thread; /* NO_THREAD, as an answer of choose(): cut this execution */
    uint16_t choice;  /* … GOES_ROUND: it goes on so for ever, as it did from `step` on */
};
enum { GOES_ROUND = 1 };

struct schedule {
    struct decision *prefix; /* by rising step */
    uint32_t prefix_count, prefix_capacity;
    uint64_t seed, hint; /* all that choose() may know besides what it sees */
    uint32_t check_step; /* 0: no check. Else: the steps before this one must have … */
    uint32_t check;      /* … this fingerprint, or the program is nondeterministic */
};

static inline uint32_t schedule_check(uint64_t fingerprint)
{
    return (uint32_t)fingerprint & ((1u << CHECK_BITS) - 1);
}

struct step;
struct touch;

struct choice_point {
    uint32_t step;      /* the step about to be taken */
    thread_id last;     /* thread of the step before; 0 at the start */
    bool last_gave_way; /* leaving it is no preemption */
    thread_set enabled;
    const thread_set *live;      /* those who have not ended; NULL unless the strategy reduces */
    const struct op *pending;    /* by thread */
    const struct step *steps;    /* those taken so far */
    const struct touch *touches; /* … and their touches, if the strategy reduces */
    uint64_t state[2];           /* of the program, if the strategy compares; 0: it is not known */
    uint64_t way; /* … and what the last step has to do with races of the next one; 0: nothing */
    uint64_t class[2];     /* of their happens-before relation, if --cache asks for it */
    uint32_t alternatives; /* sum of the choices of the enabled threads' operations; at least 2,
                              unless the strategy reduces */
};

uint32_t schedule_alternatives(const thread_set *enabled, const struct op *pending);
/* The n-th alternative: round-robin from `last`, then by data choice. 0 is the default. */
struct decision decision_nth_of_many(const struct choice_point *at, uint32_t n);

static inline struct decision decision_nth(const struct choice_point *at, uint32_t n)
{
    uint64_t few = at->enabled.word[0];
    if (at->last >= 64 || (uint32_t)__builtin_popcountl(few) != at->alternatives ||
        n >= at->alternatives)
        return decision_nth_of_many(at, n);
    uint64_t around = few >> at->last | few << (-at->last & 63); /* `last` is bit 0 */
    while (n-- > 0)
        around &= around - 1;
    thread_id thread = (thread_id)((at->last + (uint32_t)__builtin_ctzl(around)) & 63);
    return (struct decision){.step = at->step, .thread = thread};
}

#endif
