/* The same finding (same kind, same place) with a simpler schedule: as few preemptions as can be
 * reached, then as few switches, then as few steps. How much is tried is counted in steps, not in
 * time, so that results repeat. */
#ifndef COORDINATOR_SHRINK_H
#define COORDINATOR_SHRINK_H

#include "coordinator/explore.h"
#include "coordinator/recording.h"
#include "core/verdict.h"

struct shrinker {
    struct worker_pool *pool;
    const struct board *searched; /* the board of the search */
    enum stop_reason stopped;     /* … and how it ended */
    uint64_t work;                /* left, for all findings */
    uint64_t elsewhere;           /* the same, for finding them in other ways */
    double hang_seconds;          /* what does not move for so long hangs; 0: as the user said */
};

struct shrinker shrinker_open(struct worker_pool *pool, const struct board *searched,
                              enum stop_reason stopped);

/* Changes steps, sites and costs of the recording. `why` says why not all was tried, if the machine
 * or the program stopped it; else its text is empty. */
enum fewest shrink(struct shrinker *shrinker, struct recording *recording, struct problem *why);

/* Runs a strategy that begins with the recorded execution, with its scheduling points and its
 * finding as the target, for half of the work that is left. The board is the caller's to drop,
 * unless it fails. */
bool shrink_run(struct shrinker *shrinker, const struct recording *recording, const char *strategy,
                uint64_t executions_max, struct board_handle *handle, struct problem *why);

/* Of a finding from before accesses were known to race: shows it with these as scheduling points,
 * if that takes no more preemptions. */
enum fewest shrink_points(struct shrinker *shrinker, struct recording *recording,
                          enum fewest fewest, struct problem *why);

/* Of a race: lets one access follow right after the other, if that takes no more preemptions.
 * Otherwise *apart is with how many it was found to be possible; 0: it was not. */
enum fewest shrink_race(struct shrinker *shrinker, struct recording *recording, enum fewest fewest,
                        uint32_t *apart, struct problem *why);

/* Searches for a deadlock in which two threads wait at the places of a predicted one. true: the
 * recording is that of the deadlock now. */
bool shrink_predicted(struct shrinker *shrinker, struct recording *recording, struct problem *why);

#endif
