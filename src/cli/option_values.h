/* The kinds of value that options take: each is read whole, or one sentence says what is wanted. */
#ifndef CLI_OPTION_VALUES_H
#define CLI_OPTION_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"

/* Always false, so that it can be returned. */
bool value_is_wrong(const char *name, const char *value, const char *wanted, struct problem *why);
bool value_number(const char *value, uint64_t least, uint64_t most, uint64_t *out, const char *name,
                  struct problem *why);
/* In seconds. */
bool value_duration(const char *value, double *out, const char *name, struct problem *why);
/* In bytes. */
bool value_size(const char *value, uint64_t *out, const char *name, struct problem *why);
/* One of some words, NULL for those that cannot be chosen; its number. */
bool value_word(const char *value, const char *const *words, int count, uint8_t *out,
                const char *name, struct problem *why);

#define WORDS(array) array, sizeof array / sizeof array[0]

#endif
