/* The kinds of value that options take. A value is either read completely, or one sentence says
 * what is wanted. */
#ifndef CLI_OPTION_VALUES_H
#define CLI_OPTION_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"

/* Always false, so that it can be returned. */
bool value_is_wrong(const char *name, const char *value, const char *wanted, struct problem *why);
bool value_number(const char *value, uint64_t least, uint64_t most, uint64_t *out, const char *name,
                  struct problem *why);
/* Reads a duration, in seconds. */
bool value_duration(const char *value, double *out, const char *name, struct problem *why);
/* Reads a size, in bytes. */
bool value_size(const char *value, uint64_t *out, const char *name, struct problem *why);
/* Reads one of some words and returns its index in `out`. Words that cannot be chosen are NULL. */
bool value_word(const char *value, const char *const *words, int count, uint8_t *out,
                const char *name, struct problem *why);

#define WORDS(array) array, sizeof array / sizeof array[0]

#endif
