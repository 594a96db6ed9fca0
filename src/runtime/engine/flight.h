/* The runtime's side of the board: findings and sites of the execution in flight. */
#ifndef RUNTIME_ENGINE_FLIGHT_H
#define RUNTIME_ENGINE_FLIGHT_H

#include "runtime/engine/runtime.h"

bool board_open(void); /* maps it, if this process was started by the coordinator */

/* A new finding of the execution in flight; NULL if it is known or there are too many. Its place
 * [0] is the site in the thread that runs; kind, site and other (another site, or whatever else
 * tells such findings apart) name it. */
struct finding *finding_add(enum finding_kind kind, const char *message, uint64_t site,
                            uint64_t other);
/* For a kind that several detectors report. */
struct finding *finding_add_by(enum detector_id detector, enum finding_kind kind,
                               const char *message, uint64_t site, uint64_t other);
/* Whether the execution goes on past this error, although such an error ends it: every execution
 * has it (options.always), or the schedule that is replayed went on past it (options.pass). */
bool finding_is_passed(enum finding_kind kind, uint64_t site, uint64_t other);
void finding_text(char *to, const char *text); /* cut at FINDING_TEXT_MAX */

/* Of the execution in flight; NULL: it has not shown it. */
struct finding *finding_shown(enum finding_kind kind, uint64_t site, uint64_t other);
void finding_here(struct finding *finding,
                  uint64_t site); /* it showed where the calling thread is */
/* A name of code that is equal in all workers; of anything else the number itself. */
uint64_t site_name(uint64_t site);
void site_promote(uint64_t site); /* from the next search on, it is a scheduling point */
bool site_is_promoted_slow(uint64_t site);
void sites_load(void); /* fills the filter from the board */

/* Of one finding more is to be told than that it showed. */
static inline bool findings_are_told(void)
{
    return rt.options->target != 0 || rt.options->detail;
}

static inline uint32_t site_hash(uint64_t site)
{
    return (uint32_t)((site * 0x9e3779b97f4a7c15) >> 52);
}

static inline bool site_is_promoted(uint64_t site)
{
    uint32_t hash = site_hash(site);
    return unlikely(rt.memory.site_filter[hash / 64] >> hash % 64 & 1) &&
           site_is_promoted_slow(site);
}

#endif
