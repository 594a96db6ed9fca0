/* A table with a cell for each place in memory, four bytes, that a detector has looked at. */
#ifndef DETECTOR_PLACES_H
#define DETECTOR_PLACES_H

#include "detector/detector.h"

struct places { /* all zero: no place was looked at */
    uint32_t size, used;
    uint64_t *addresses; /* 0: a free slot */
    char *cells;
};

/* The cell, `size` bytes, of the place that an access begins in; all zero the first time. */
void *places_cell(struct places *places, const struct scene *scene, const struct access *access,
                  size_t size);

#endif
