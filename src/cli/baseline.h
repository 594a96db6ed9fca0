/* The baseline: findings of an earlier search, which do not count any more. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "base/problem.h"
#include "core/verdict.h"

struct baseline {
    const char *path; /* NULL: no baseline */
    const char **fingerprints;
    uint32_t count;
};

/* Reads a file of --json or --sarif. Returns false if the file is neither. */
bool baseline_read(struct baseline *out, const char *path, struct problem *why);
/* Marks the findings in the baseline as known, and sets the answer from the others. */
void baseline_apply(const struct baseline *baseline, struct verdict *verdict);

#endif
