/* One execution that showed a finding, with all that it takes to run it again. */
#ifndef COORDINATOR_RECORDING_H
#define COORDINATOR_RECORDING_H

#include "base/problem.h"
#include "coordinator/align.h"
#include "coordinator/job.h"

struct recorded_site {  /* a promoted site; its address is base + offset */
    const char *module; /* file name without folder */
    uint64_t base, offset;
};

struct recorded_names { /* of steps; empty: unknown, or none */
    const char *function, *object;
};

struct recording {
    const char *program, *build_id;
    const char *source;       /* built from this file, seen from the directory; NULL: given built */
    const char *directory;    /* the current folder of the search */
    char **arguments;         /* argv, ended by NULL */
    const char **fresh_paths; /* put back before it runs; absolute; ended by NULL, or NULL */
    const char *input;        /* standard input */
    size_t input_size;
    struct options options;
    struct finding finding; /* kind, thread, key, execution, costs and message count; kind
                               FINDING_KINDS: the execution showed nothing */
    const char *function,
        *about; /* where it showed, the object that it is about; empty or NULL: unknown */
    struct recorded_site *sites;
    uint32_t site_count;
    struct taken *steps;
    uint32_t step_count;
    struct recorded_names *names; /* which programs built from other sources are matched by */
    uint32_t names_count;
    uint32_t *named; /* by step: its names are names[named - 1]; 0: it has none; NULL: none has */
};

/* What the finding with this number on the board takes. */
struct recording recording_of(const struct job *job, const struct board *board, uint32_t finding);

/* What an execution takes that was kept for its class. */
struct recording recording_of_sample(const struct job *job, const struct board *board,
                                     uint32_t sample);
const char *recording_word(const struct recording *recording); /* of the finding, or "nothing" */

struct reported;
struct board_handle;
/* Options with which a search is run again by this strategy (NULL: an execution of it, by its
 * schedule): its own, without what only that search wanted. Whoever runs it sets what else differs.
 */
struct options options_again(const struct options *search, const char *strategy);
/* A board on which its schedule and its scheduling points are. */
bool recording_board(struct board_handle *out, const struct recording *recording,
                     const struct options *options, struct problem *why);
/* Takes the names of all its steps from what was told of it. */
void recording_name(struct recording *recording, const struct reported *told);
struct landmarks recording_marks(const struct recording *recording);

/* Objects renamed by the order of their first use, so that two executions can be compared. */
void taken_rename(struct taken *steps, uint32_t count);

#endif
