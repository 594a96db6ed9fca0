/* Finds a simpler schedule for the same finding (same kind, same place): with as few preemptions as
 * can be reached, then as few switches, then as few steps. Effort is limited in steps, not in time,
 * so that results repeat. */
#ifndef COORDINATOR_MINIMISE_SHRINKER_H
#define COORDINATOR_MINIMISE_SHRINKER_H

#include "coordinator/record/recording.h"
#include "coordinator/search/explore.h"
#include "core/verdict.h"

struct shrinker {
    struct worker_pool *pool;
    const struct board *searched; /* the board of the search */
    enum stop_reason stopped;     /* how the search ended */
    uint64_t work;                /* steps left for all findings */
    uint64_t elsewhere;           /* steps left for finding them in other ways */
    double hang_seconds; /* an execution that does not move for so long hangs; 0: the job's limit */
};

struct shrinker shrinker_open(struct worker_pool *pool, const struct board *searched,
                              enum stop_reason stopped);

/* Changes steps, sites and costs of the recording. `why` says why not everything was tried, if the
 * program or an internal error stopped it; else its text is empty. */
enum fewest shrink(struct shrinker *shrinker, struct recording *recording, struct problem *why);

/* Runs a strategy that begins with the recorded execution, with its scheduling points and its
 * finding as the target, for half of the remaining steps. The caller drops the board, unless the
 * call fails. */
bool shrink_run(struct shrinker *shrinker, const struct recording *recording, const char *strategy,
                uint64_t executions_max, struct board_handle *handle, struct problem *why);

/* For a finding from before accesses were known to race: shows it with these accesses as scheduling
 * points, if that takes no more preemptions. */
enum fewest shrink_points(struct shrinker *shrinker, struct recording *recording,
                          enum fewest fewest, struct problem *why);

/* For a race: lets one access follow right after the other, if that takes no more preemptions.
 * Otherwise *apart is the number of preemptions with which that was possible; 0: it was not. */
enum fewest shrink_race(struct shrinker *shrinker, struct recording *recording, enum fewest fewest,
                        uint32_t *apart, struct problem *why);

/* Searches for a deadlock in which two threads wait at the places of a predicted one. If it returns
 * true, the recording is of that deadlock. */
bool shrink_predicted(struct shrinker *shrinker, struct recording *recording, struct problem *why);

#endif
