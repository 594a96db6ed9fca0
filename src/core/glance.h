/* A snapshot of a running search, for the progress display. */
#ifndef CORE_GLANCE_H
#define CORE_GLANCE_H

#include "core/tally.h"

struct glance {
    struct tally tally; /* numbers may be torn: they are only displayed */
    /* the strategy of a portfolio that currently shows most new classes; or NULL */
    const char *leader;
    bool classes_about; /* the number of classes was extrapolated from part of them */
};

#endif
