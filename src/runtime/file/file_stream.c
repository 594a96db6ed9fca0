/* compile: LOCAL_HERE */
/* fdopen of a modelled file: a stream of libc's that comes to us for its bytes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "base/os.h"
#include "runtime/engine/real.h"
#include "runtime/engine/upper.h"
#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"
#include "runtime/file/stream.h"
#include "runtime/snapshot/world.h"

static FILE *(*real_fopencookie)(void *, const char *, cookie_io_functions_t);

static int descriptor_of(void *cookie)
{
    return (int)(intptr_t)cookie;
}

/* A child of fork has a real pipe there. */
static long in_child(long result)
{
    return result < 0 ? file_fails((int)-result) : result;
}

static ssize_t cookie_read(void *cookie, char *bytes, size_t size)
{
    if (!running())
        return in_child(os_read(descriptor_of(cookie), bytes, size));
    LOCAL_HERE(local);
    watch_call(&local);
    if (file_of(descriptor_of(cookie)) == NULL)
        return file_fails(EBADF);
    ssize_t got = file_read_for_stream(descriptor_of(cookie), bytes, size, &local);
    stream_used(descriptor_of(cookie));
    return got;
}

static ssize_t cookie_write(void *cookie, const char *bytes, size_t size)
{
    if (!running())
        return in_child(os_write(descriptor_of(cookie), bytes, size));
    LOCAL_HERE(local);
    watch_call(&local);
    if (file_of(descriptor_of(cookie)) == NULL)
        return file_fails(EBADF);
    ssize_t written = file_write(descriptor_of(cookie), bytes, size, &local);
    stream_used(descriptor_of(cookie));
    return written < 0 ? 0 : written; /* what libc takes for an error */
}

static int cookie_close(void *cookie)
{
    if (!running())
        return (int)in_child(os_call(SYS_close, descriptor_of(cookie), 0, 0, 0, 0, 0));
    if (file_of(descriptor_of(cookie)) == NULL)
        return file_fails(EBADF);
    return file_close(descriptor_of(cookie), (uintptr_t)__builtin_return_address(0));
}

static bool mode_fits(const struct file *file, const char *mode)
{
    bool both = mode[0] != 0 && (mode[1] == '+' || (mode[1] != 0 && mode[2] == '+'));
    int access = file->flags & O_ACCMODE;
    return access == O_RDWR || (!both && (mode[0] == 'r') == (access == O_RDONLY));
}

void *file_as_stream(int descriptor, const char *mode)
{
    bool known = mode[0] == 'r' || mode[0] == 'w' || mode[0] == 'a';
    if (!known || !mode_fits(file_of(descriptor), mode)) {
        file_fails(EINVAL);
        return NULL;
    }
    if (real_fopencookie == NULL)
        real_fopencookie =
            (FILE * (*)(void *, const char *, cookie_io_functions_t)) real_symbol("fopencookie");
    cookie_io_functions_t functions = {
        .read = cookie_read, .write = cookie_write, .close = cookie_close};
    FILE *stream = real_fopencookie((void *)(intptr_t)descriptor, mode, functions);
    world_descriptors(); /* what it holds back must be written at the end */
    if (stream != NULL)
        stream->_fileno = descriptor; /* for fileno */
    return stream;
}
