/* Folders that the user names for what is written. */
#ifndef COORDINATOR_FOLDER_H
#define COORDINATOR_FOLDER_H

#include "base/problem.h"

/* Makes it, and those above it, unless it is there. `what` says in a sentence what goes wrong. */
bool folder_make(const char *path, const char *what, struct problem *why);
/* Whether nothing but a folder is there, as far as one can tell before. */
bool folder_is_possible(const char *path, const char *what, struct problem *why);
/* Whether something can be made in it, or it can be made; leaves nothing behind. */
bool folder_is_writable(const char *path, const char *what, struct problem *why);

#endif
