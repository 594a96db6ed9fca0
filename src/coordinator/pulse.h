/* Does a worker still move? One that does not is urged to end its execution, then killed. */
#ifndef COORDINATOR_PULSE_H
#define COORDINATOR_PULSE_H

#include <sys/types.h>

#include "core/wire.h"

enum pulse_order {
    PULSE_GO_ON,
    PULSE_URGE, /* nothing moved for long: the runtime shall end the execution (SIGURG) */
    PULSE_KILL, /* and not even that worked */
};

struct processor_use {  /* of all threads of a process */
    double ran, waited; /* seconds; the wait for a processor that ended with one */
    bool runnable;      /* a thread runs or waits for a processor */
    bool known;
};

struct pulse {         /* of one worker */
    uint64_t sequence; /* what moved last, and when */
    uint32_t steps, beats;
    double moved;
    struct processor_use use; /* soon after that */
    bool urged;
};

void pulse_rest(struct pulse *pulse); /* the watch begins anew */

/* Time in which the process would have run, had there been a processor for it, does not count. */
enum pulse_order pulse_look(struct pulse *pulse, const struct board *board, pid_t process,
                            double hang_seconds);

#endif
