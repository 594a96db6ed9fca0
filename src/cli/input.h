/* The tested program's standard input: bohr's own, read once and given to every execution. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include <stddef.h>

#include "base/problem.h"

struct input {
    int fd; /* a seekable file */
    bool empty;
};

bool input_read(struct input *out, struct problem *why);
bool input_of_bytes(struct input *out, const char *bytes, size_t count, struct problem *why);

#endif
