/* One search of a program, from the boards to all reports. */
#ifndef CLI_SEARCH_H
#define CLI_SEARCH_H

#include "cli/files.h"
#include "cli/resume.h"
#include "coordinator/minimise/suppress.h"
#include "report/progress.h"

/* Returns the exit status. */
int search(struct job *job, const struct settings *settings, const struct files *files,
           const struct suppressions *suppressions, struct resumption *resumption,
           struct progress_line *line);

#endif
