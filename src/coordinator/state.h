/* A search that was left before its end, in a file: all that lies on its boards, and the little
 * that the coordinator knows beside. It goes on only with the same program, libraries and input, in
 * the same folder, and with the same runtime: addresses on the boards must mean what they meant. */
#ifndef COORDINATOR_STATE_H
#define COORDINATOR_STATE_H

#include "coordinator/crew.h"
#include "coordinator/explore.h"
#include "coordinator/packed.h"

struct state_command {       /* what the search was begun with */
    const char *environment; /* BOHR_OPTIONS; NULL: not set */
    const char **options;    /* words, ended by NULL */
    const char **program;    /* the program and its arguments, ended by NULL */
};

struct state {
    struct unpacker file;
    struct state_command command;
    double seconds, cpu_seconds;
    double started; /* CLOCK_MONOTONIC, minus the seconds of those before */
    uint64_t peak_bytes;
    const char *fallback; /* why reset had given way to fork; NULL: it had not */
    struct crew_left left;
    uint32_t workers;
};

/* Writes to a file that shows errors when it is closed. false: the user interrupted it. */
bool state_write(FILE *file, const struct state_command *command, struct worker_pool *pool,
                 const struct crew *crew, const struct exploration *so_far, double started);

/* Reads what the search was begun with. */
bool state_open(struct state *state, const char *path, struct problem *why);
/* Then, whether this job is the same; options that matter to who searches come from the file. */
bool state_fits(struct state *state, struct job *job, struct problem *why);
/* Then fills the boards, which are new, as they were, but for the limit of executions. */
bool state_fill(struct state *state, const struct job *job, const struct board_handle *boards,
                struct problem *why);
void state_close(struct state *state);

#endif
