/* Before a search or a replay: builds the program if it is a source file, checks it, and looks up
 * what the user named in it. */
#ifndef CLI_PREPARE_H
#define CLI_PREPARE_H

#include "cli/build.h"
#include "coordinator/record/recording.h"

bool prepare(struct job *job, struct built *built, struct problem *why);
/* For a recorded execution: builds the program in the folder in which it was built before. */
bool prepare_replay(struct job *job, const struct recording *recording, struct built *built,
                    struct problem *why);

#endif
