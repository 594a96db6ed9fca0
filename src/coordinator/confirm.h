/* Running a recorded execution again, in full detail, and comparing what comes out. */
#ifndef COORDINATOR_CONFIRM_H
#define COORDINATOR_CONFIRM_H

#include "coordinator/explore.h"
#include "coordinator/recording.h"
#include "core/verdict.h"

enum confirmation {
    CONFIRM_SAME,      /* same finding, same steps */
    CONFIRM_DIFFERENT, /* something that we do not control decided */
    CONFIRM_NOT_RUN,   /* it could not be run: refused, interrupted, the machine failed */
};

struct confirmed {
    enum confirmation how;
    struct problem why;       /* CONFIRM_NOT_RUN */
    struct finding different; /* CONFIRM_DIFFERENT: the nondeterminism, as a finding, … */
    struct diverged diverged; /* … and where */
    struct tally tally;       /* of the second run */
    struct control control;
};

/* A board on which the recorded schedule is run, in full detail; or (debugged) by a process that a
 * debugger starts. */
bool confirm_board(struct board_handle *out, const struct recording *recording,
                   enum carrier carrier, bool debugged, struct problem *why);

/* Fills in `out` with the finding, its names and what the program printed. */
void confirm(struct worker_pool *pool, const struct recording *recording, enum carrier carrier,
             struct reported *out, struct confirmed *result);

/* Runs any schedule: the steps in `out` are what came, `confirmed` says whether the finding
 * showed. */
bool run_in_detail(struct worker_pool *pool, const struct recording *recording,
                   enum carrier carrier, struct reported *out, struct problem *why);

/* Whether two executions took the same steps; says where not. Both must be renamed. `named` are the
 * steps that came, with names, or NULL. */
bool steps_compare(const struct taken *expected, uint32_t expected_count, const struct taken *got,
                   uint32_t got_count, const struct story_step *named, struct diverged *out);

#endif
