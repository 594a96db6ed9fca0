/* Which loaded modules belong to the system: the C and C++ libraries, the loader and the
 * runtime. */
#ifndef CORE_LIBRARY_H
#define CORE_LIBRARY_H

#include <stdbool.h>

const char *library_file_name(const char *path);
bool library_is_runtime(const char *path);

/* True for modules that are modelled, or that do not matter for the order of the program's threads.
 * False for a library of the program that only shares its name with one of them (./libutil.so):
 * libc's parts count in the system's folders only. */
bool library_is_system(const char *path);

#endif
