/* Files that a search puts back or compares: --fresh, --same-output, --expect-output. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include "cli/settings.h"
#include "coordinator/worker/fresh_copies.h"
#include "coordinator/worker/job.h"

struct files {
    struct fresh fresh;
    int output; /* file for the program's standard output, if that is compared; -1: none */
};

/* Prepares the files for a search, and fills in the job's options for them. */
bool files_open(struct files *files, struct job *job, const struct settings *settings,
                struct problem *why);
/* Prepares the files for a recording, whose options already say what is compared. */
bool files_open_again(struct files *files, struct job *job, struct problem *why);
/* Puts everything back as it was before the search. */
bool files_close(struct files *files, struct problem *why);

#endif
