/* Follows a recorded execution in a program that was edited since. Its schedule is matched by names
 * (align.h), followed as far as it goes, and adapted where the program takes other steps now. */
#ifndef COORDINATOR_MINIMISE_HEAL_H
#define COORDINATOR_MINIMISE_HEAL_H

#include "coordinator/record/recording.h"
#include "coordinator/search/explore.h"

enum heal_outcome {
    HEAL_SHOWN,  /* the finding showed again: the recording is now of the edited program */
    HEAL_OTHER,  /* another error showed: the recording is now of the edited program */
    HEAL_PASSES, /* nothing showed */
};

struct healed {
    enum heal_outcome outcome;
    struct followed followed; /* by the execution that came nearest, or that showed the finding */
    const char *stray;        /* first step that did not come in its place; NULL: none */
    const char *was;          /* the recorded finding, as a word */
    uint64_t executions;      /* executions run in all */
    uint64_t nearby;    /* of these executions, those that differed from the schedule on purpose */
    bool same_build;    /* the program is the one that was recorded */
    struct tally tally; /* counts of the last execution */
    struct control control;
    uint8_t instrumented, marks; /* as in struct options */
    struct module *modules;      /* modules of the edited program */
    uint32_t module_count;
};

/* Executions near the schedule that are tried beside following it. With none, the schedule is also
 * adapted fewer times. */
enum { HEAL_NEARBY = 1 << 11 };

/* Returns false on an internal error, or if the program did something that is not modelled. */
bool heal(struct worker_pool *pool, struct recording *recording, uint64_t nearby,
          struct healed *out, struct problem *why);
/* Runs a recording of the unchanged program once more, for the names of its steps. */
bool heal_name(struct worker_pool *pool, struct recording *recording, struct problem *why);
/* A sentence that says how far the execution was followed. */
const char *healed_text(const struct healed *healed);

#endif
