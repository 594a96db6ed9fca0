// A handler ends a futex wait. Whether a wake comes before the end of the handler decides what both calls return, so the
// two orders are two classes.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -k
// expect: finding assertion
// expect: finding deadlock
// expect: complete == true
// expect: classes 7
// run: -s dpor -k
// expect: finding assertion
// expect: finding deadlock
// expect: claim.kind == all-classes
// expect: classes 7
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

atomic_int word, handled;
static pthread_t waiter;

static void handle(int number)
{
    atomic_store(&handled, number);
}

static void *disturb(void *unused)
{
    pthread_kill(waiter, SIGUSR1);
    long woken = syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    assert(woken == 1 || atomic_load(&handled) == 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGUSR1, &action, NULL);
    waiter = pthread_self();
    pthread_create(&thread, NULL, disturb, NULL);
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
    return pthread_join(thread, NULL);
}
