/* Finds the runtime library: ../lib/bohr beside the folder of this executable. */
#ifndef CLI_RUNTIME_LIBRARY_H
#define CLI_RUNTIME_LIBRARY_H

#include "base/problem.h"

#define LIBRARY_NAME "libtsan.so.2"

const char *library_folder(struct problem *why); /* NULL: it is missing */

#endif
