#define _GNU_SOURCE
#include "cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/os.h"

static bool nothing(struct input *out, struct problem *why)
{
    out->empty = true;
    out->fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return out->fd >= 0 || problem_is(why, "cannot open", "/dev/null", errno);
}

bool input_of_bytes(struct input *out, const char *bytes, size_t count, struct problem *why)
{
    if (count == 0)
        return nothing(out, why);
    out->empty = false;
    out->fd = memfd_create("bohr-input", MFD_CLOEXEC);
    long error = out->fd < 0 ? -errno : os_write(out->fd, bytes, count);
    return error == 0 || problem_is(why, "cannot keep standard input", NULL, (int)-error);
}

bool input_read(struct input *out, struct problem *why)
{
    if (isatty(0))
        return nothing(out, why);
    out->fd = memfd_create("bohr-input", MFD_CLOEXEC);
    if (out->fd < 0)
        return problem_is(why, "cannot keep standard input", NULL, errno);
    char bytes[1 << 16];
    out->empty = true;
    for (;;) {
        ssize_t got = read(0, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return problem_is(why, "cannot read standard input", NULL, errno);
        if (got == 0)
            break;
        long error = os_write(out->fd, bytes, (size_t)got);
        if (error != 0)
            return problem_is(why, "cannot keep standard input", NULL, (int)-error);
        out->empty = false;
    }
    if (!out->empty)
        return true;
    close(out->fd);
    return nothing(out, why);
}
