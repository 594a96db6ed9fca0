/* One line on a terminal while the search runs, gone at its end. */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdio.h>

#include "core/wire.h"

struct progress_line {
    FILE *file;
    double shown;        /* seconds at which it was last written */
    uint64_t executions; /* then */
    bool visible;
};

void progress_show(struct progress_line *line, const struct tally *now, double seconds);
void progress_clear(struct progress_line *line);

#endif
