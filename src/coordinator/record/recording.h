/* A recording: one execution that showed a finding, with all that it takes to run it again. */
#ifndef COORDINATOR_RECORD_RECORDING_H
#define COORDINATOR_RECORD_RECORDING_H

#include "base/problem.h"
#include "coordinator/record/align.h"
#include "coordinator/worker/job.h"
#include "core/board.h"

struct recorded_site {  /* a promoted site; its address is base + offset */
    const char *module; /* file name without folder */
    uint64_t base, offset;
};

struct recorded_names { /* names of a step; empty: unknown, or none */
    const char *function, *object;
};

struct recording {
    const char *program, *build_id;
    /* source file of the program, seen from `directory`; NULL: the user gave a built program */
    const char *source;
    const char *directory; /* current folder of the search */
    char **arguments;      /* argv, ended by NULL */
    /* paths that are put back before the program runs; absolute; ended by NULL, or NULL */
    const char **fresh_paths;
    const char *input; /* standard input */
    size_t input_size;
    struct options options;
    /* histories after which threads came to no operation (runtime/engine/busy.c) */
    uint64_t busy[BUSY_MAX];
    uint32_t busy_count;
    /* kind, thread, key, execution, costs and message count. Kind FINDING_KINDS: the execution
     * showed nothing. */
    struct finding finding;
    const char *function,
        /* where the finding showed, and the object that it is about; empty or NULL: unknown */
        *about;
    struct recorded_site *sites;
    uint32_t site_count;
    struct taken *steps;
    uint32_t step_count;
    /* names by which steps are matched in a program built from other sources */
    struct recorded_names *names;
    uint32_t names_count;
    /* by step: names[named - 1] are its names, 0: it has none; NULL: no step has names */
    uint32_t *named;
};

/* The recording of a finding on the board. */
struct recording recording_of(const struct job *job, const struct board *board, uint32_t finding);

/* The recording of an execution that was kept for its class. */
struct recording recording_of_sample(const struct job *job, const struct board *board,
                                     uint32_t sample);
/* the kind of the finding, or "nothing" */
const char *recording_word(const struct recording *recording);

struct reported;
struct board_handle;
/* Options with which a search is run again by this strategy (NULL: an execution of it, by its
 * schedule): its own, without what only that search wanted. The caller sets what else differs. */
struct options options_again(const struct options *search, const char *strategy);
/* A board on which its schedule and its scheduling points are. */
bool recording_board(struct board_handle *out, const struct recording *recording,
                     const struct options *options, struct problem *why);
/* Takes the names of all its steps from what was told of it. */
void recording_name(struct recording *recording, const struct reported *told);
struct landmarks recording_marks(const struct recording *recording);

/* Renames objects in the order of their first use, so that two executions can be compared. */
void taken_rename(struct taken *steps, uint32_t count);

#endif
