/* A schedule: what to do next. An execution is fixed by where it leaves the default.
 *
 * The default at a scheduling point is the first alternative in round-robin order: the thread that
 * ran last if it is enabled, else the next one in order of creation; data choice 0. A schedule
 * lists the steps that differ. After the last of them, choose() decides. So a schedule is short,
 * and says what a person wants to know: where another thread comes in. */
#ifndef CORE_SCHEDULE_H
#define CORE_SCHEDULE_H

#include "core/op.h"
#include "core/thread.h"

enum {
    STEP_BITS = 20,  /* bits of a step's number */
    CHECK_BITS = 20, /* bits of a fingerprint that are kept with a schedule */
};

struct decision {
    uint32_t step;
    thread_id thread; /* NO_THREAD, as an answer of choose(): cut this execution */
    /* with NO_THREAD, GOES_ROUND: the execution would repeat its steps from `step` on forever */
    uint16_t choice;
};
enum { GOES_ROUND = 1 };

struct schedule {
    struct decision *prefix; /* by rising step */
    uint32_t prefix_count, prefix_capacity;
    uint64_t seed, hint; /* all that choose() may know besides what it sees */
    /* the steps before this one must have the fingerprint `check`; 0: no check */
    uint32_t check_step;
    uint32_t check; /* if the fingerprint differs from this, the program is nondeterministic */
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
    bool last_gave_way; /* leaving thread `last` is no preemption */
    thread_set enabled;
    const thread_set *live;   /* threads that have not ended */
    const struct op *pending; /* the next operation of each thread */
    const struct step *steps; /* steps taken so far */
    /* touches of the steps so far; recorded only if the strategy reduces */
    const struct touch *touches;
    uint64_t state[2]; /* of the program, if the strategy compares states; 0: unknown */
    /* identifies the last step's accesses, which may race with the next step; 0: none */
    uint64_t way;
    uint64_t class[2]; /* class of the steps so far, if --cache asks for it */
    /* sum of the choices of the enabled threads' operations; at least 2, unless the strategy
     * reduces */
    uint32_t alternatives;
};

uint32_t schedule_alternatives(const thread_set *enabled, const struct op *pending);
/* The n-th alternative: threads in round-robin order from `last`, and for each its data choices.
 * Alternative 0 is the default. */
struct decision decision_nth_of_many(const struct choice_point *at, uint32_t n);

static inline struct decision decision_nth(const struct choice_point *at, uint32_t n)
{
    uint64_t few = at->enabled.word[0];
    if (at->last >= 64 || (uint32_t)__builtin_popcountl(few) != at->alternatives ||
        n >= at->alternatives)
        return decision_nth_of_many(at, n);
    uint64_t around = few >> at->last | few << (-at->last & 63); /* rotated: `last` is bit 0 */
    while (n-- > 0)
        around &= around - 1;
    thread_id thread = (thread_id)((at->last + (uint32_t)__builtin_ctzl(around)) & 63);
    return (struct decision){.step = at->step, .thread = thread};
}

#endif
