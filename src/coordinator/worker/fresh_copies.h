/* Keeps the files and folders of --fresh as they are before the first execution. */
#ifndef COORDINATOR_WORKER_FRESH_COPIES_H
#define COORDINATOR_WORKER_FRESH_COPIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "core/fresh.h"

struct fresh_path {
    const char *path;
    bool may_miss; /* the path may be missing now; then it is removed before each execution */
};

struct fresh {
    int fd; /* the image, read only; -1: nothing is to be put back */
    const struct fresh_image *image;
    uint64_t size;
};

bool fresh_keep(struct fresh *out, const struct fresh_path *paths, uint32_t count,
                struct problem *why);
/* Puts everything back for the last time, when no worker runs any more, and releases the image. */
bool fresh_end(struct fresh *fresh, struct problem *why);

#endif
