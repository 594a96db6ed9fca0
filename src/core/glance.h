/* What is known of a search while it runs. */
#ifndef CORE_GLANCE_H
#define CORE_GLANCE_H

#include "core/wire.h"

struct glance {
    struct tally tally; /* numbers may be torn: they are only looked at */
    const char *leader; /* the strategy of a portfolio that shows most that is new; or NULL */
    bool classes_about; /* how many classes there are was found out from part of them */
};

#endif
