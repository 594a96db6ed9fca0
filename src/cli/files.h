/* Files that a search puts back or compares: --fresh, --same-output, --expect-output. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "cli/options.h"
#include "coordinator/fresh.h"
#include "coordinator/job.h"

struct files {
    struct fresh fresh;
    int output; /* where the program's standard output goes, if it is compared; -1: nowhere */
};

/* Fills in the job's options too. */
bool files_open(struct files *files, struct job *job, const struct settings *settings,
                struct problem *why);
/* The same for a recording, whose options say what is compared. */
bool files_open_again(struct files *files, struct job *job, struct problem *why);
/* All is as it was before the search. */
bool files_close(struct files *files, struct problem *why);

#endif
