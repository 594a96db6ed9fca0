/* The files that run writes beside its reports: --coverage and --remember. */
#ifndef CLI_SIDE_FILES_H
#define CLI_SIDE_FILES_H

#include "cli/settings.h"
#include "coordinator/worker/budget.h"
#include "coordinator/worker/job.h"

#define CANNOT_WRITE_COVERAGE "cannot write the coverage"
#define CANNOT_REMEMBER       "cannot write what is to be remembered"

struct board;

bool write_coverage(const char *path, const struct board *board, const struct budget *budget,
                    double seconds, struct problem *why);
bool write_memo(const struct settings *settings, const struct job *job, const struct board *board,
                struct problem *why);
/* Reads the file of --remember. *of_another is set if it is of another build or strategy. */
bool read_memo(const struct settings *settings, const struct job *job, const struct board *board,
               bool *of_another, struct problem *why);

#endif
