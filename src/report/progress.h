/* The progress line on a terminal, which disappears when the search ends. Parts are sorted by
 * importance: a narrow terminal shows only the first. */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdio.h>

#include "core/glance.h"

struct progress_line {
    FILE *file;
    double shown;        /* seconds at which the line was last written */
    uint64_t executions; /* executions at that time */
    bool visible;
};

void progress_show(struct progress_line *line, const struct glance *now, double seconds);
void progress_clear(struct progress_line *line);

/* The text of the line, in fewer columns than `width`. */
enum { PROGRESS_TEXT_MAX = 512 };
void progress_text(char text[PROGRESS_TEXT_MAX], int width, const struct glance *now, double rate,
                   double seconds);

#endif
