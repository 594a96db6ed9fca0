// A thread that times out on a futex goes on at once in some interleavings. A reduction explores them, and claims so:
// the load of main before or after the store; the wake of main before the wait, while the thread sleeps, or after it.
// build: gcc -O1
// build: clang -O1
// run: -s dpor
// expect: no finding
// expect: complete == true
// expect: claim.kind == all-classes
// expect: classes 2
// run: -s dpor -- wake
// expect: no finding
// expect: complete == true
// expect: claim.kind == all-classes
// expect: classes 3
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word, timed_out;

static void *wait_a_moment(void *unused)
{
    const struct timespec moment = {.tv_nsec = 1000};
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, &moment);
    atomic_store(&timed_out, 1);
    return unused;
}

int main(int count, char **arguments)
{
    (void)arguments;
    pthread_t thread;
    pthread_create(&thread, NULL, wait_a_moment, NULL);
    if (count > 1)
        syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    else
        count += atomic_load(&timed_out) == 2;
    return pthread_join(thread, NULL) + (count > 2);
}
