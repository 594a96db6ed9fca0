// A timed wait may be woken or time out; a loop of timed waits gives way each time round, so it ends
// under every strategy.
// modes: all
// run: -s dfs -k -- once
// expect: no finding
// expect: complete == true
// run: -s dfs -- loop
// expect: no finding
// expect: complete == true
// run: -s preempt -- loop
// expect: no finding
// expect: complete == true
// run: -s random -n 200 -- loop
// expect: no finding
// expect: cut == 0
// run: -s dfs --expect-exit 0 -k -- outcome
// expect: finding exit
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;
static int timeouts;

static void *wait_for_it(void *loops)
{
    const struct timespec second = {.tv_sec = 1};
    do {
        long result = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &second, NULL, 0);
        assert(result == 0 || errno == ETIMEDOUT || errno == EAGAIN);
        if (result != 0 && errno == ETIMEDOUT)
            timeouts++;
    } while (loops != NULL && atomic_load(&word) == 0);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    const char *what = argc > 1 ? argv[1] : "";
    pthread_create(&thread, NULL, wait_for_it, strcmp(what, "loop") == 0 ? &word : NULL);
    atomic_store(&word, 1);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    pthread_join(thread, NULL);
    return strcmp(what, "outcome") == 0 ? timeouts : 0;
}
