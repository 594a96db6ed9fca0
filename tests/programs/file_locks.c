// Locks on files: threads of a process never wait for each other's POSIX locks, and what another
// descriptor holds is said to a call that only tries. A call that would have to wait for it is refused, see
// engine/refusals.py. No lock is a step.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

static int one, two, closed;

static void fails(long result, int error)
{
    assert(result == -1 && errno == error);
    errno = 0;
}

static int twice(const char *path)
{
    return open(path, O_RDWR);
}

static void whole_files(void)
{
    assert(flock(one, LOCK_EX) == 0);
    fails(flock(two, LOCK_SH | LOCK_NB), EWOULDBLOCK);
    fails(syscall(SYS_flock, two, LOCK_EX | LOCK_NB), EWOULDBLOCK);
    assert(flock(one, LOCK_SH) == 0 && flock(two, LOCK_SH) == 0);
    fails(flock(two, LOCK_EX | LOCK_NB), EWOULDBLOCK);
    assert(flock(one, LOCK_UN) == 0 && syscall(SYS_flock, two, LOCK_EX) == 0);
    assert(flock(two, LOCK_UN) == 0);
    fails(flock(closed, LOCK_EX), EBADF);
    fails(flock(one, 0), EINVAL);
}

static void *locks_too(void *unused)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 4};
    assert(fcntl(two, F_SETLKW, &lock) == 0 && fcntl64(one, F_SETLKW, &lock) == 0);
    assert(lockf(one, F_LOCK, 1) == 0 && lockf64(two, F_LOCK, 1) == 0);
    return unused;
}

static void parts_of_files(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 4};
    assert(fcntl(one, F_SETLKW, &lock) == 0 && syscall(SYS_fcntl, one, F_SETLKW, &lock) == 0);
    pthread_t thread;
    assert(pthread_create(&thread, NULL, locks_too, NULL) == 0 && pthread_join(thread, NULL) == 0);
    assert(lockf(two, F_TEST, 1) == 0 && lockf64(two, F_ULOCK, 0) == 0);
    fails(lockf(closed, F_LOCK, 1), EBADF);
    fails(lockf64(closed, F_LOCK, 1), EBADF);
    fails(lockf(one, 99, 1), EINVAL);
    fails(lockf64(one, 99, 1), EINVAL);
    fails(lockf(one, F_LOCK, -1), EINVAL);
    lock.l_whence = 99;
    fails(fcntl(one, F_SETLKW, &lock), EINVAL);
    fails(fcntl(closed, F_SETLKW, &lock), EBADF);
}

static void parts_by_description(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 4};
    assert(fcntl(one, F_SETLK, &(struct flock){.l_type = F_UNLCK, .l_whence = SEEK_SET}) == 0);
    assert(fcntl(one, F_OFD_SETLKW, &lock) == 0);
    fails(fcntl(two, F_OFD_SETLK, &lock), EAGAIN);
    fails(lockf(two, F_TLOCK, 1), EAGAIN);
    fails(lockf64(two, F_TLOCK, 1), EAGAIN);
    fails(lockf(two, F_TEST, 1), EACCES);
    lock.l_type = F_UNLCK;
    assert(fcntl(one, F_OFD_SETLKW, &lock) == 0 && lockf(two, F_LOCK, 1) == 0);
}

int main(void)
{
    char path[] = "/tmp/bohr-file-locks-XXXXXX";
    one = mkstemp(path);
    two = twice(path);
    closed = dup(two);
    assert(one >= 0 && two >= 0 && close(closed) == 0 && unlink(path) == 0);
    whole_files();
    parts_of_files();
    parts_by_description();
    return 0;
}
