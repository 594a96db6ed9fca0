/* The checksum of counts and claims. Only the runtime and the coordinator update it, when a change
 * is complete. A stray store of the tested program changes a count or the checksum, not both, and
 * so is noticed. */
#ifndef CORE_SUM_H
#define CORE_SUM_H

#include "core/tally.h"

#define SUM_FACTOR 0x9e3779b97f4a7c15ul

static inline uint64_t tally_sum(const struct tally *tally)
{
    const uint64_t parts[] = {
        tally->executions,
        tally->steps,
        tally->first_bug,
        tally->buggy,
        (uint64_t)tally->always_shown[0] << 32 | tally->always_missed,
        tally->cut,
        tally->cut_by_steps,
        tally->cut_by_cycles,
        tally->restarts,
        tally->classes,
        tally->classes_reduced,
        tally->fingerprint_sum,
        tally->class_sum,
        (uint64_t)tally->bounds << 32 | tally->finding_count,
        (uint64_t)tally->findings_dropped << 32 | tally->races_unpromoted,
        (uint64_t)tally->unreduced << 32 | tally->vain,
        (uint64_t)tally->undisciplined << 32 | tally->site_count,
        (uint64_t)(uint32_t)tally->bound << 32 | (uint32_t)tally->bound_done,
        (uint64_t)tally->complete << 32 | tally->over,
        (uint64_t)tally->ended << 32 | tally->claim,
    };
    uint64_t sum = SUM_FACTOR; /* not 0: memory of zeros does not add up */
    for (uint32_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        sum += parts[i] * (SUM_FACTOR * (2 * i + 1));
    return sum;
}

static inline bool tally_adds_up(const struct tally *tally)
{
    return tally->sum == tally_sum(tally);
}

static inline void tally_seal(struct tally *tally)
{
    tally->sum = tally_sum(tally);
}

#define DOES_NOT_ADD_UP                                                                            \
    "the tested program wrote into the tool's memory: what was counted cannot be believed"

#endif
