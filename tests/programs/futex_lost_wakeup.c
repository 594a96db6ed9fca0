// A wake before the wait wakes no thread: one that sleeps afterwards sleeps forever.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: finding deadlock
// expect: output futex woken
// expect: output cause: perhaps a lost wake-up: T0's futex wake of word
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

static void *wait_for_it(void *unused)
{
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1);
    pthread_join(thread, NULL);
    return 0;
}
