/* Files and folders that are put back before each execution, and when the search is over.
 *
 * The coordinator keeps their content in an image: memory that nobody can write to any more. Worker
 * and coordinator put them back from there with the same code. Entries are sorted by the parts of
 * their paths, so that a folder comes right before all that lies in it. */
#ifndef CORE_FRESH_H
#define CORE_FRESH_H

#include <stddef.h>
#include <stdint.h>

#define FRESH_MAGIC 0x68736572662d7262ul

enum { FRESH_PATH_MAX = 4096 };

struct fresh_entry {
    uint64_t path;                /* offset of the absolute path in the image, ended by a zero */
    uint64_t bytes, size;         /* content of a file, or target of a link */
    int64_t seconds, nanoseconds; /* time of the last change */
    uint32_t mode;                /* kind and permissions; 0: nothing may be at this path */
    uint32_t inside;              /* how many of the following entries lie in this folder */
};

struct fresh_image {
    uint64_t magic, size;
    uint32_t count;
    uint32_t reserved;
    struct fresh_entry entries[];
};

struct fresh_failure {
    int error; /* an errno value */
    const char *path;
};

/* Puts back every entry. Returns 0, or an errno value, which is also in `failure` with the path
 * that is in the way. */
int fresh_put_back(const struct fresh_image *image, struct fresh_failure *failure);

#endif
