/* Folders that the user names for results. */
#ifndef COORDINATOR_RECORD_RESULT_FOLDER_H
#define COORDINATOR_RECORD_RESULT_FOLDER_H

#include "base/problem.h"

/* Makes the folder, and those above it, unless it exists. `what` is the message for a failure. */
bool folder_make(const char *path, const char *what, struct problem *why);
/* Whether the path is a folder or does not exist yet: an early check that cannot tell
 * everything. */
bool folder_is_possible(const char *path, const char *what, struct problem *why);
/* Whether files can be made in the folder, or the folder itself can be made. Leaves nothing
 * behind. */
bool folder_is_writable(const char *path, const char *what, struct problem *why);

#endif
