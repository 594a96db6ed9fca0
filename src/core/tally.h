/* The counts of a search, and what was seen in it that lowers the claim. */
#ifndef CORE_TALLY_H
#define CORE_TALLY_H

#include "core/claim.h"
#include "core/estimate.h"
#include "core/options.h"

enum { BOUNDS_MAX = 64 };

struct tally { /* the counts; changed only inside a journal transaction */
    /* what the checksum covers (core/sum.h), up to always_shown[0] */
    uint64_t executions; /* complete executions, over all restarts */
    uint64_t steps;
    uint64_t first_bug; /* executions up to the first error that is not a race; 0: none */
    uint64_t buggy;     /* executions of the last search that showed an error */
    uint64_t cut, cut_by_steps, cut_by_cycles;
    /* the search was over, and nothing moved; cut_by_steps holds them, too */
    uint64_t cut_by_time;
    uint64_t left; /* a thread was left where it computed, or gave way (runtime/engine/busy.c) */
    uint64_t restarts;
    /* distinct classes of the last search; CLASSES_UNKNOWN once the table is full */
    uint64_t classes;
    /* classes of the part of the last search that reduces, if only a part does */
    uint64_t classes_reduced;
    uint64_t fingerprint_sum; /* sum over the traces of the last search */
    uint64_t class_sum; /* sum over the distinct classes of the last search: equal for equal sets */
    uint32_t bounds;    /* rows of per_bound in use */
    uint32_t finding_count;
    uint32_t findings_dropped; /* distinct findings for which there was no room */
    /* racing sites are no scheduling points, for want of room or on request: the claim falls */
    uint32_t races_unpromoted;
    /* bits by enum unreduced: what occurred whose orders the reduction does not fully know */
    uint32_t unreduced;
    uint32_t vain; /* in a reduction, futile iterations ended what their threads did */
    /* memory is shared without a lock, which the strategy assumes not to happen */
    uint32_t undisciplined;
    uint32_t site_count; /* promoted sites in use */
    int32_t bound;       /* the bound being searched */
    int32_t bound_done;  /* last bound that was completed; NO_BOUND: none */
    uint32_t complete;   /* nothing is left within the bound asked for */
    uint32_t over;       /* nothing is left at all, whatever other workers still have to do */
    uint32_t ended;      /* plan() said that nothing is left */
    uint32_t claim;      /* enum claim_kind of the strategy */
    /* a bit for each error of options.always that some execution without any error did not have */
    uint32_t always_missed;
    uint32_t always_shown[ALWAYS_MAX]; /* executions with each error of options.always */
    uint32_t sampled;  /* the execution in flight does not belong to this bound's search */
    uint64_t sum;      /* tally_sum() of counts and claim */
    uint64_t looks;    /* comparisons of all memory, for loops that may never end */
    uint64_t accesses; /* plain accesses in long steps, in millions */
    uint32_t threads, max_enabled, max_points, max_steps;
    /* an execution has shown the target: findings[target_slot] is the simplest so far */
    uint32_t target_shown;
    /* 0 or 1: slot of the simplest target; the other slot is for the next one */
    uint32_t target_slot;
    uint32_t waits;              /* a thread waited on a condition variable, in any search so far */
    struct shared_memory shared; /* memory shared with a process that is not controlled */
    /* the program looks at the time: steps that move the clock depend on all others */
    uint32_t clock_matters;
    /* of a reduction with several workers: executions fail, or steps replace other threads'
     * operations */
    uint32_t fails;
    int32_t first_status;     /* exit status of the first execution that finished */
    uint32_t statuses_differ; /* a later execution finished with another exit status */
    uint32_t output_known;    /* an execution has finished: first_output is what it wrote */
    struct written first_output;
    uint64_t pending;
    uint64_t kept_bytes; /* memory of the pending work */
    uint64_t spilled;    /* most bytes of pending work beyond memory_max */
    uint64_t lost;       /* executions for which the file had no space */
    uint64_t tree_bytes; /* most memory of pending sequences in the last search (struct progress) */
    uint64_t singletons; /* classes of the last search that were seen once */
    uint64_t classified; /* executions of the last search whose class was looked up */
    struct states_count states;
    struct estimate estimate;
    struct guarantee guarantee;
    struct bound_row {
        int32_t bound;
        uint32_t reserved;
        uint64_t executions, classes; /* new at this bound */
    } per_bound[BOUNDS_MAX];
};
#define CLASSES_UNKNOWN (~0ul)

/* Work done, in steps: what options.work_max limits. */
static inline uint64_t tally_work(const struct tally *tally, uint64_t each)
{
    enum { WORK_OF_LOOK = 64, WORK_OF_ACCESSES = 1 << 15 };
    return tally->steps + tally->looks * WORK_OF_LOOK + tally->accesses * WORK_OF_ACCESSES +
           (tally->executions + tally->cut) * each;
}

#endif
