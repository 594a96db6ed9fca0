/* Random numbers: a stream for each thread, a function of its name and how many it took. Two
 * threads never see the same numbers, equal histories always do. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>

#include "base/mix.h"
#include "base/os.h"
#include "base/out.h"
#include "runtime/engine/refuse.h"
#include "runtime/file/file_calls.h"
#include "runtime/memory/called.h"
#include "runtime/memory/memory.h"
#include "runtime/process/process_calls.h"
#include "runtime/snapshot/snapshot.h"

enum { ENTROPY_MAX = 256, DEVICE_BYTES = 256 << 10, DEVICE_CHUNK = 4096 };

static uint64_t next(void)
{
    struct thread *me = ex.me;
    uint64_t z = mix(me->name + 0x2545f4914f6cdd1d, ++me->process.randoms);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void fill(void *bytes, size_t size)
{
    for (char *at = bytes; size > 0;) {
        uint64_t value = next();
        size_t part = size < sizeof value ? size : sizeof value;
        memcpy(at, &value, part);
        at += part;
        size -= part;
    }
}

void chance_fill_any(void *bytes, size_t size, uintptr_t site)
{
    memory_access(bytes, size, true, site);
    await_wrote(&ex.me->await); /* the next turn sees other numbers: no await */
    fill(bytes, size);
}

long chance_fill(void *bytes, size_t size, unsigned flags, uintptr_t site)
{
    if (flags & ~(unsigned)(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE) ||
        (flags & GRND_RANDOM && flags & GRND_INSECURE)) {
        errno = EINVAL;
        return -1;
    }
    chance_fill_any(bytes, size, site);
    return (long)size;
}

int chance_fill_little(void *bytes, size_t size, uintptr_t site)
{
    if (size > ENTROPY_MAX) {
        errno = EIO;
        return -1;
    }
    chance_fill_any(bytes, size, site);
    return 0;
}

uint32_t chance_number(void)
{
    await_wrote(&ex.me->await);
    return (uint32_t)(next() >> 32);
}

uint32_t chance_below(uint32_t bound)
{
    return bound < 2 ? 0 : (uint32_t)((uint64_t)chance_number() * bound >> 32);
}

static int make_device(void)
{
    int file =
        (int)os_call(SYS_memfd_create, (long)"random", MFD_CLOEXEC | MFD_ALLOW_SEALING, 0, 0, 0, 0);
    if (file < 0)
        give_up("the machine cannot make a file in memory");
    file = descriptor_raise(file);
    char chunk[DEVICE_CHUNK];
    for (int done = 0; done < DEVICE_BYTES; done += DEVICE_CHUNK) {
        fill(chunk, sizeof chunk);
        if (os_write(file, chunk, sizeof chunk) < 0)
            give_up("the machine cannot fill a file in memory");
    }
    os_call(SYS_fcntl, file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK, 0, 0, 0);
    return file;
}

const char *chance_path(const char *path, uintptr_t site)
{
    static char instead[32];
    file_check_path(path, site);
    if (readable_text(path) == 0 ||
        (strcmp(path, "/dev/urandom") != 0 && strcmp(path, "/dev/random") != 0))
        return path;
    if (ex.process.random_file > 0)
        os_close(ex.process.random_file);
    ex.process.random_file = make_device();
    struct out out = out_to(-1, instead, sizeof instead);
    out_text(&out, "/proc/self/fd/");
    out_number(&out, (uint64_t)ex.process.random_file);
    return out_string(&out);
}
