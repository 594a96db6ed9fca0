/* Curves of coverage as one picture: SVG that needs nothing but itself. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "report/coverage.h"

enum plot_along { PLOT_EXECUTIONS, PLOT_SECONDS, PLOT_BOUND };
enum plot_of { PLOT_CLASSES, PLOT_WAITING, PLOT_WAITING_BYTES };

struct plot_curve {
    const char *name; /* for the legend */
    struct curve curve;
};

struct plot {
    const struct plot_curve *curves;
    size_t count;
    enum plot_along along; /* what the horizontal axis shows */
    enum plot_of of;       /* … the vertical one */
    bool log_x, log_y;     /* then what is 0 is left out */
};

size_t plot_points(const struct plot *plot, size_t curve); /* rows of a curve that can be shown */
/* Each curve has a point or more. */
void plot_write(const struct plot *plot, FILE *file);

#endif
