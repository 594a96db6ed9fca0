/* A search that was left before its end, as a file: the content of its boards, and what the
 * coordinator knows besides. The search continues only with the same program, libraries, input,
 * folder and runtime, since addresses on the boards must keep their meaning. */
#ifndef COORDINATOR_SEARCH_SAVED_SEARCH_H
#define COORDINATOR_SEARCH_SAVED_SEARCH_H

#include "coordinator/record/packed.h"
#include "coordinator/search/explore.h"
#include "coordinator/share/crew.h"

struct state_command {       /* the command that began the search */
    const char *environment; /* BOHR_OPTIONS; NULL: not set */
    const char **options;    /* words, ended by NULL */
    const char **program;    /* the program and its arguments, ended by NULL */
};

struct state {
    struct unpacker file;
    struct state_command command;
    double seconds, cpu_seconds;
    double started; /* CLOCK_MONOTONIC, minus the seconds of earlier parts of the search */
    uint64_t peak_bytes;
    const char *fallback; /* why reset had given way to fork; NULL: it had not */
    struct crew_left left;
    uint32_t workers;
};

/* Writes to a file that shows errors when it is closed. Returns false if the user interrupted. */
bool state_write(FILE *file, const struct state_command *command, struct worker_pool *pool,
                 const struct crew *crew, const struct exploration *so_far, double started);

/* First reads the command that began the search. */
bool state_open(struct state *state, const char *path, struct problem *why);
/* Then checks that this job is the same. Options that matter to the workers come from the file. */
bool state_fits(struct state *state, struct job *job, struct problem *why);
/* Last fills the boards, which must be new, as they were, except for the limit of executions. */
bool state_fill(struct state *state, const struct job *job, const struct board_handle *boards,
                struct problem *why);
void state_close(struct state *state);

#endif
