/* State of the folder snapshot/, kept for each execution. */
#ifndef RUNTIME_SNAPSHOT_SNAPSHOT_OWN_H
#define RUNTIME_SNAPSHOT_SNAPSHOT_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct execution_snapshot {
    struct made *made;     /* what would outlive the process, to be removed at the end */
    struct states *states; /* what tells states apart beside memory; NULL: they are not compared */
};

#endif
