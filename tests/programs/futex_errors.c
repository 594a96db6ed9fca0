// Errors of the kernel, and timeouts, with one thread: the same on the real system.
// build: gcc -O1
// build: clang -O1
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int words[2];

static int futex(void *at, int operation, int value, const void *time, unsigned bits)
{
    errno = 0;
    long result = syscall(SYS_futex, at, operation, value, time, words + 1, bits);
    assert(result == -1 ? errno != 0 : errno == 0);
    return result == -1 ? -errno : (int)result;
}

int main(void)
{
    const struct timespec moment = {.tv_nsec = 1000}, wrong = {.tv_nsec = 1000000000};
    const struct timespec before = {.tv_sec = -1}, past = {.tv_sec = 1};
    char *bytes = (char *)words;
    assert(futex(words, FUTEX_WAIT, 1, NULL, 0) == -EAGAIN);
    assert(futex(words, FUTEX_WAIT_PRIVATE, 1, &moment, 0) == -EAGAIN);
    assert(futex(words, FUTEX_WAIT, 0, &moment, 0) == -ETIMEDOUT);
    assert(futex(words, FUTEX_WAIT_PRIVATE, 0, &moment, 0) == -ETIMEDOUT);
    assert(futex(words, FUTEX_WAIT, 0, &wrong, 0) == -EINVAL);
    assert(futex(words, FUTEX_WAIT, 0, &before, 0) == -EINVAL);
    assert(futex(words, FUTEX_WAIT_BITSET, 0, &past, 1) == -ETIMEDOUT);
    assert(futex(words, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &past, 1) == -ETIMEDOUT);
    assert(futex(words, FUTEX_WAIT_BITSET, 0, &past, 0) == -EINVAL);
    assert(futex(words, FUTEX_WAKE_BITSET, 1, NULL, 0) == -EINVAL);
    assert(futex(bytes + 1, FUTEX_WAIT, 0, NULL, 0) == -EINVAL);
    assert(futex(bytes + 2, FUTEX_WAKE, 1, NULL, 0) == -EINVAL);
    assert(futex(NULL, FUTEX_WAIT, 0, NULL, 0) == -EFAULT);
    assert(futex(words, FUTEX_WAKE, INT_MAX, NULL, 0) == 0);
    assert(futex(words, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, 1) == 0);
    assert(futex(words, FUTEX_REQUEUE, 1, (void *)1, 0) == 0);
    assert(futex(words, FUTEX_CMP_REQUEUE, 1, (void *)1, 0) == 0);
    assert(futex(words, FUTEX_CMP_REQUEUE, 1, (void *)1, 7) == -EAGAIN);
    assert(futex(words, FUTEX_REQUEUE, -1, (void *)1, 0) == -EINVAL);
    assert(futex(words, 77, 0, NULL, 0) == -ENOSYS);
    return 0;
}
