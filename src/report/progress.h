/* One line on a terminal while the search runs, gone at its end. What matters most comes first: a
 * narrow terminal shows only that. */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdio.h>

#include "core/glance.h"

struct progress_line {
    FILE *file;
    double shown;        /* seconds at which it was last written */
    uint64_t executions; /* then */
    bool visible;
};

void progress_show(struct progress_line *line, const struct glance *now, double seconds);
void progress_clear(struct progress_line *line);

/* The line itself, in fewer columns than `width`. */
enum { PROGRESS_TEXT_MAX = 512 };
void progress_text(char text[PROGRESS_TEXT_MAX], int width, const struct glance *now, double rate,
                   double seconds);

#endif
