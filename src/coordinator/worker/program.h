/* Checks of the program to test, before it runs. */
#ifndef COORDINATOR_WORKER_PROGRAM_H
#define COORDINATOR_WORKER_PROGRAM_H

#include "base/problem.h"

/* The absolute path of the program: as given or, for a bare name that is not in the current folder,
 * from PATH. NULL: not found. */
const char *program_find(const char *name, struct problem *why);

/* Whether the name is that of a source file: .c, .cc, .cpp, .cxx. */
bool program_is_source(const char *name);
bool program_is_cplusplus(const char *name);

/* Whether Bohr can run the program: a dynamically linked x86-64 ELF program without a libtsan
 * inside. */
bool program_check(const char *path, struct problem *why);

/* Identifies this build of the program: its build-id, or a checksum of the file. NULL: it
 * failed. */
const char *program_build_id(const char *path, struct problem *why);

#endif
