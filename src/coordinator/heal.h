/* A recorded execution of a program that was edited since: its schedule is matched by names
 * (align.h), followed as far as it goes, and mended where the program does other things now. */
#ifndef COORDINATOR_HEAL_H
#define COORDINATOR_HEAL_H

#include "coordinator/explore.h"
#include "coordinator/recording.h"

enum heal_outcome {
    HEAL_SHOWN,  /* the finding showed again: the recording is that of the program as it is now */
    HEAL_OTHER,  /* another error showed: the same */
    HEAL_PASSES, /* nothing showed */
};

struct healed {
    enum heal_outcome outcome;
    struct followed followed; /* by the execution that comes nearest, or shows it */
    const char *stray;        /* the first step that did not come in its place; NULL: none */
    const char *was;          /* what had been found */
    uint64_t executions;      /* run for it in all, … */
    uint64_t nearby;          /* … of which so many differed from the schedule on purpose */
    bool same_build;          /* the program is the one that was recorded */
    struct tally tally;       /* of the last of them */
    struct control control;
    uint8_t instrumented, marks; /* as in struct options */
    struct module *modules;      /* of the program as it is now */
    uint32_t module_count;
};

/* How much is tried beside following the schedule: executions near it. With none of them the
 * schedule is not mended for long either. */
enum { HEAL_NEARBY = 1 << 11 };

/* false: the machine failed us, or the program did what is not modelled. */
bool heal(struct worker_pool *pool, struct recording *recording, uint64_t nearby,
          struct healed *out, struct problem *why);
/* Runs a recording of the program as it is once more, for the names of its steps. */
bool heal_name(struct worker_pool *pool, struct recording *recording, struct problem *why);
/* How far it was followed, in a sentence. */
const char *healed_text(const struct healed *healed);

#endif
