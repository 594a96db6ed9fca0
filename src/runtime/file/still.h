/* Files as part of a state that is compared with others. What is in them lies partly in the
 * execution's memory, and partly in the program's beside numbers that only grow, and times that
 * only count from now on: these are put out of sight while a digest is taken. */
#ifndef RUNTIME_FILE_STILL_H
#define RUNTIME_FILE_STILL_H

#include "runtime/file/file.h"

struct still; /* what is out of sight */

/* For the kinds of files: up to 8 bytes have this value until they stir. */
void still_hide(struct still *still, void *at, size_t size, uint64_t value);
void still_hide_bytes(struct still *still, char *at,
                      size_t size); /* the bytes are zero; too many: they stay */
void still_source(struct still *still, struct source *source);
static inline void still_pointer(struct still *still, void *pointer)
{
    still_hide(still, pointer, sizeof(void *), 0);
}

#endif
