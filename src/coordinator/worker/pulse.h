/* Watches whether a worker still moves. A worker that does not is urged to end its execution, then
 * killed. */
#ifndef COORDINATOR_WORKER_PULSE_H
#define COORDINATOR_WORKER_PULSE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct board;

enum pulse_order {
    PULSE_GO_ON,
    PULSE_NUDGE, /* the worker has computed for a moment, and nothing moved */
    PULSE_URGE,  /* nothing moved for long: the runtime should end the execution (SIGURG) */
    PULSE_KILL,  /* nothing moved after the worker was urged, either */
};

struct processor_use { /* processor time of all threads of a process */
    /* seconds of running, and of waiting for a processor; a wait counts once it has ended */
    double ran, waited;
    bool runnable; /* a thread runs or waits for a processor */
    bool known;
};

struct pulse {         /* the watch over one worker */
    uint64_t sequence; /* the counters that show movement; `moved`: when one of them last changed */
    uint32_t steps, beats;
    double moved;
    struct processor_use use; /* measured soon after `moved` */
    double nudged;            /* own time of the last nudge */
    bool urged;
};

void pulse_rest(struct pulse *pulse); /* restarts the watch */

/* Decides what to do about a worker. Time in which the process waited for a processor does not
 * count. */
enum pulse_order pulse_look(struct pulse *pulse, const struct board *board, pid_t process,
                            double hang_seconds);

#endif
