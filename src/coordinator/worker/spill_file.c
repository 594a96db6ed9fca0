#define _GNU_SOURCE
#include "coordinator/worker/spill_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "coordinator/text.h"

static const char *folder(void)
{
    const char *named = getenv("TMPDIR");
    return named != NULL && *named != 0 ? named : "/var/tmp";
}

/* Not every file system can make a file without a name. */
static int make_file(void)
{
    int fd = open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return fd;
    char *path = text_print("%s/bohr-XXXXXX", folder());
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

bool spill_open(int *fd, void *memory, uint64_t size, struct problem *why)
{
    *fd = make_file();
    if (*fd < 0)
        return problem_is(why, "cannot make a file for --memory (TMPDIR)", folder(), errno);
    void *got = MAP_FAILED;
    if (ftruncate(*fd, (off_t)size) == 0)
        got = mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
                   *fd, 0);
    /* the file must be zero again, as a search that restarts needs it */
    if (got != MAP_FAILED && madvise(memory, size, MADV_REMOVE) == 0)
        return true;
    problem_is(why, "this folder cannot hold the file of --memory; name another one in TMPDIR",
               folder(), errno);
    close(*fd);
    return false;
}
