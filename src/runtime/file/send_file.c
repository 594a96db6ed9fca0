/* sendfile: bytes of one of the kernel's files to a pipe or socket of ours. Its descriptor has the
 * kernel's offset. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os.h"
#include "runtime/engine/upper.h"
#include "runtime/file/channel.h"
#include "runtime/file/file.h"
#include "runtime/file/file_calls.h"
#include "runtime/memory/memory.h"
#include "runtime/snapshot/world.h"

enum { AT_ONCE = PIPE_PAGES * CHANNEL_PAGE };

/* A file of ours cannot be sent from: Linux takes only what has offsets. */
static int source_error(int from, const long *offset)
{
    const struct file *file = file_of(from);
    if (file == NULL)
        return world_has_descriptor(from) ? 0 : EBADF;
    if ((file->flags & O_ACCMODE) == O_WRONLY)
        return EBADF;
    return offset != NULL ? ESPIPE : EINVAL;
}

static int target_error(int to)
{
    const struct file *file = file_of(to);
    if (file == NULL)
        return world_has_descriptor(to) ? 0 : EBADF;
    if ((file->flags & O_ACCMODE) == O_RDONLY)
        return EBADF;
    return pipe_channel(file) == NULL && file->kind != &file_socket ? EINVAL : 0;
}

/* Until all is written, or some would have to wait for room. */
static long copy(int to, int from, long start, size_t size, const struct local *local)
{
    size_t room = size < AT_ONCE ? size : AT_ONCE, done = 0;
    char *bytes = file_memory(room, local->site);
    while (done < size) {
        size_t some = size - done < room ? size - done : room;
        long got = os_call(SYS_pread64, from, (long)bytes, (long)some, start + (long)done, 0, 0);
        if (got <= 0)
            return done > 0 ? (long)done : got < 0 ? file_fails((int)-got) : 0;
        long written = file_write(to, bytes, (size_t)got, local);
        if (written < 0)
            return done > 0 ? (long)done : -1;
        done += (size_t)written;
        if (written < got)
            break;
    }
    return (long)done;
}

long file_send(int to, int from, long *offset, size_t size, const struct local *local)
{
    int wrong = source_error(from, offset);
    wrong = wrong != 0 ? wrong : target_error(to);
    if (wrong != 0)
        return file_fails(wrong);
    long start = offset != NULL ? *offset : os_call(SYS_lseek, from, 0, SEEK_CUR, 0, 0, 0);
    if (start < 0)
        return file_fails(EINVAL);
    if (size == 0)
        return 0;
    long done = copy(to, from, start, size, local);
    if (done <= 0)
        return done;
    if (offset == NULL) {
        world_descriptors();
        os_call(SYS_lseek, from, start + done, SEEK_SET, 0, 0, 0);
    } else {
        memory_access(offset, sizeof *offset, true, local->site);
        *offset = start + done;
    }
    return done;
}
