/* Findings of an earlier search, which do not count any more. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "base/problem.h"
#include "core/verdict.h"

struct baseline {
    const char *path; /* NULL: there is none */
    const char **fingerprints;
    uint32_t count;
};

/* What --json or --sarif wrote; false: the file is neither. */
bool baseline_read(struct baseline *out, const char *path, struct problem *why);
/* Marks what is known, and answers for the rest. */
void baseline_apply(const struct baseline *baseline, struct verdict *verdict);

#endif
