/* State of the folder worker/, kept as long as the process lives. */
#ifndef RUNTIME_WORKER_WORKER_OWN_H
#define RUNTIME_WORKER_WORKER_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/board.h"
#include "detector/race.h"

enum driver_call { CALL_ENDED, CALL_CHECKPOINT };

/* The part of struct flight that a checkpoint keeps: its numbers, without those of findings and
 * sites, of which there are none at a checkpoint. */
enum {
    CHECKPOINT_FLIGHT = offsetof(struct flight, enabled_max),
    CHECKPOINT_FLIGHT_SIZE = offsetof(struct flight, findings) - CHECKPOINT_FLIGHT,
};

enum { LEVELS_MAX = RACE_SETUPS };

struct checkpoint { /* checkpoints, where executions begin, and measurements for the next one
                       (checkpoint.h) */
    struct level {
        uint32_t steps;                      /* before the checkpoint */
        uint32_t decided;                    /* 1 + the last decision among these steps; 0: none */
        uint64_t used;                       /* by so many executions */
        char flight[CHECKPOINT_FLIGHT_SIZE]; /* as it was there */
    } levels[LEVELS_MAX]; /* one behind the other; the first at the first decision */
    uint32_t count;
    uint32_t wanted;         /* the step to take the next one at; 0: the first decision */
    uint32_t lowest;         /* first step that a plan has changed */
    uint64_t missed, misses; /* how many steps were run again, by how many executions, since the
                                last checkpoint was taken or dropped */
    uint64_t
        doubt; /* how many times what one takes it must save; the more, the more were of no use */
    uint64_t planned, not_before; /* plans up to the last execution; executions */
    bool reduced;                 /* the last plan was that of a strategy that reduces */
    struct {
        uint64_t begun,
            taken; /* when the execution began, and was where one is taken; 0: it was not there */
        uint64_t cost;       /* of taking one; 0: unknown */
        uint64_t run, steps; /* what so many steps took */
    } time;                  /* nanoseconds */
    uint32_t forced;
};

struct aftermath { /* of a failure (aftermath.h) */
    bool on;
    bool killed; /* a process died in an aftermath: no other one is begun */
    bool barred; /* a thread cannot go on in this execution */
    bool notes, reduces, asks, turns_skipped, checkpoint_wanted; /* as they were at the failure */
    uint32_t count, capacity, steps;
    char flight[CHECKPOINT_FLIGHT_SIZE];
};

struct runtime_worker {
    void *driver_sp;
    uintptr_t driver_fs;
    enum driver_call call;
    struct checkpoint checkpoint;
    struct aftermath aftermath;
    struct written written;    /* by the execution that ended last, where it is compared */
    uint64_t number_in_flight; /* of the execution, for all that is noted of it: others go on
                                  meanwhile */
    uint64_t executions;       /* run by this process, for sampled checks */
    uint64_t plans;            /* that this process has made */
    struct {
        uint64_t bytes, executions; /* there were, when it was done last */
        uint64_t most;              /* bytes since some were given back */
    } spill;
};

#endif
