/* Names of files that are part of a state (outside.h): whoever changes what a name leads to has it
 * listed. What is there, and what is in it, is then looked at whenever a state is taken: so a name
 * that is made and removed again in each turn of a loop, or a file that is written and read, comes
 * back to what it was. */
#ifndef RUNTIME_MEMORY_NAMES_H
#define RUNTIME_MEMORY_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

enum { NAMES_MAX = 64, NAMES_SIZE = 8192 };

struct names {
    uint32_t count;
    uint32_t used;          /* bytes */
    uint32_t at[NAMES_MAX]; /* where each begins */
    char text[NAMES_SIZE];
};

bool names_add(struct names *names, int folder, const char *path); /* false: there is no room */
bool names_add_descriptor(struct names *names, int descriptor);    /* … or it has no name */
uint32_t names_find(const struct names *names,
                    const struct stat *file); /* which leads to it, from 1; 0: none does */
bool names_cover(const struct names *names,
                 const struct stat *file); /* all that lead to it are listed */
bool names_state(const struct names *names,
                 uint64_t *state); /* false: there is too much in the files */

/* What is in an open file, whatever its descriptor may do; false: too much, or it cannot be read.
 */
bool contents_state(int descriptor, uint64_t *state);

#endif
