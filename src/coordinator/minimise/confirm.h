/* Runs a recorded execution again, in full detail, and compares the result with the recording. */
#ifndef COORDINATOR_MINIMISE_CONFIRM_H
#define COORDINATOR_MINIMISE_CONFIRM_H

#include "coordinator/record/recording.h"
#include "coordinator/search/explore.h"
#include "core/verdict.h"

enum confirmation {
    CONFIRM_SAME,      /* same finding, same steps */
    CONFIRM_DIFFERENT, /* something that Bohr does not control decided */
    /* the execution could not be run: refused, interrupted, or an internal error */
    CONFIRM_NOT_RUN,
};

struct confirmed {
    enum confirmation how;
    struct problem why;       /* for CONFIRM_NOT_RUN */
    struct finding different; /* for CONFIRM_DIFFERENT: the nondeterminism, as a finding */
    /* for CONFIRM_DIFFERENT: the step at which the two executions differ */
    struct diverged diverged;
    struct tally tally; /* counts of the second run */
    struct control control;
};

/* Makes a board on which the recorded schedule is run, in full detail, or (debugged) by a process
 * that a debugger starts. */
bool confirm_board(struct board_handle *out, const struct recording *recording,
                   enum carrier carrier, bool debugged, struct problem *why);

/* Runs the recording and fills in `out` with the finding, its names and the program's output. */
void confirm(struct worker_pool *pool, const struct recording *recording, enum carrier carrier,
             struct reported *out, struct confirmed *result);

/* Runs any schedule. `out` gets the steps of the execution, and `confirmed` says whether the
 * finding showed. */
bool run_in_detail(struct worker_pool *pool, const struct recording *recording,
                   enum carrier carrier, struct reported *out, struct problem *why);

/* Whether two executions took the same steps; if not, `out` says where they differ. Objects in both
 * must be renamed (taken_rename). `named` are the steps of `got` with names, or NULL. */
bool steps_compare(const struct taken *expected, uint32_t expected_count, const struct taken *got,
                   uint32_t got_count, const struct story_step *named, struct diverged *out);

#endif
