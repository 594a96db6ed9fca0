/* One execution that showed a finding, with all that it takes to run it again. */
#ifndef COORDINATOR_RECORDING_H
#define COORDINATOR_RECORDING_H

#include "coordinator/job.h"

struct recorded_site {  /* a promoted site; its address is base + offset */
    const char *module; /* file name without folder */
    uint64_t base, offset;
};

struct recording {
    const char *program, *build_id;
    const char *source;    /* built from this file, seen from the directory; NULL: given built */
    const char *directory; /* the current folder of the search */
    char **arguments;      /* argv, ended by NULL */
    const char **fresh_paths; /* put back before it runs; absolute; ended by NULL, or NULL */
    const char *input;     /* standard input */
    size_t input_size;
    struct options options;
    struct finding finding; /* kind, thread, key, execution, costs and message count */
    struct recorded_site *sites;
    uint32_t site_count;
    struct taken *steps;
    uint32_t step_count;
};

/* What the finding with this number on the board takes. */
struct recording recording_of(const struct job *job, const struct board *board, uint32_t finding);

/* Objects renamed by the order of their first use, so that two executions can be compared. */
void taken_rename(struct taken *steps, uint32_t count);

#endif
