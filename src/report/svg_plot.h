/* Curves of coverage as one picture: SVG without external parts. */
#ifndef REPORT_SVG_PLOT_H
#define REPORT_SVG_PLOT_H

#include "report/coverage_csv.h"

enum plot_along { PLOT_EXECUTIONS, PLOT_SECONDS, PLOT_BOUND };
enum plot_of { PLOT_CLASSES, PLOT_WAITING, PLOT_WAITING_BYTES };

struct plot_curve {
    const char *name; /* for the legend */
    struct curve curve;
};

struct plot {
    const struct plot_curve *curves;
    size_t count;
    enum plot_along along; /* the quantity on the horizontal axis */
    enum plot_of of;       /* the quantity on the vertical axis */
    bool log_x, log_y;     /* a logarithmic axis leaves out points at 0 */
};

size_t plot_points(const struct plot *plot, size_t curve); /* rows of a curve that can be shown */
/* Writes the picture. Each curve must have at least one point. */
void plot_write(const struct plot *plot, FILE *file);

#endif
