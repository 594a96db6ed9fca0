/* Locks on the kernel's files. Threads of one process never wait for each other's POSIX locks;
 * where a call would have to wait for somebody else, it is refused: the kernel would stop all
 * threads. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/os.h"
#include "runtime/engine/refuse.h"
#include "runtime/file/file_calls.h"

static int without_waiting(const char *call, long result, uintptr_t site)
{
    if (result == -EAGAIN)
        refuse_call(
            call,
            "the file is locked by another, and waiting for that is not modelled; lock a mutex, or "
            "try without waiting",
            site);
    return result < 0 ? file_fails((int)-result) : 0;
}

int file_lock(int descriptor, int operation, uintptr_t site)
{
    long result = os_call(SYS_flock, descriptor, operation | LOCK_NB, 0, 0, 0, 0);
    if (operation & LOCK_NB)
        return result < 0 ? file_fails((int)-result) : 0;
    return without_waiting("flock", result, site);
}

bool file_lock_waits(int command)
{
    return command == F_SETLKW || command == F_OFD_SETLKW;
}

int file_lock_part(int descriptor, int command, long lock, uintptr_t site)
{
    command = command == F_SETLKW ? F_SETLK : F_OFD_SETLK;
    return without_waiting("fcntl", os_call(SYS_fcntl, descriptor, command, lock, 0, 0, 0), site);
}

int file_lock_from_here(int descriptor, long size, uintptr_t site)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = size};
    return without_waiting("lockf", os_call(SYS_fcntl, descriptor, F_SETLK, (long)&lock, 0, 0, 0),
                           site);
}
