/* Suppressions: findings that the user knows and does not want reported. A file has lines as for
 * ThreadSanitizer, TYPE:PATTERN, comments (#) and empty lines.
 *
 * A pattern is searched for in function names, file names, module names and, for races, the name of
 * the variable. In it * stands for anything, ^ and $ for the beginning and the end. */
#ifndef COORDINATOR_MINIMISE_SUPPRESS_H
#define COORDINATOR_MINIMISE_SUPPRESS_H

#include "coordinator/worker/job.h"
#include "coordinator/worker/worker_pool.h"
#include "core/verdict.h"

struct suppressions {
    struct suppression *rules;
    uint32_t count;
};

bool suppressions_read(struct suppressions *out, const char *path, struct problem *why);
bool suppressions_parse(struct suppressions *out, const char *text, const char *path,
                        struct problem *why);
bool suppressions_match(const struct suppressions *suppressions, const struct reported *reported);
bool suppression_pattern_matches(const char *pattern, const char *text);

/* Runs each finding on the board once more for its names, and adds the keys of those that match to
 * the options. Returns how many matched; negative: there is no room for them. */
int suppressions_apply(const struct suppressions *suppressions, struct worker_pool *pool,
                       const struct board *board, struct options *options);

#endif
