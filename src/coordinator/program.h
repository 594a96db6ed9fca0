/* The program to test, looked at before it runs. */
#ifndef COORDINATOR_PROGRAM_H
#define COORDINATOR_PROGRAM_H

#include "base/problem.h"

/* Its absolute path: as given, or, for a bare name that is not here, from PATH. NULL: none. */
const char *program_find(const char *name, struct problem *why);

/* A source file by its name: .c, .cc, .cpp, .cxx. */
bool program_is_source(const char *name);
bool program_is_cplusplus(const char *name);

/* Whether we can run it: a dynamically linked x86-64 ELF program without a libtsan inside. */
bool program_check(const char *path, struct problem *why);

/* What tells this build from another: its build-id, or a checksum of the file. NULL: cannot. */
const char *program_build_id(const char *path, struct problem *why);

#endif
