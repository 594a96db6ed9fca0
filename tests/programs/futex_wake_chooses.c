// Waking two of three sleepers is a data choice with three outcomes, and costs no preemption; so is
// waking one of those whose bits match.
// modes: all
// run: -s preempt -b 0 -k --expect-exit 3
// expect: finding exit
// expect: complete == true
// run: -s preempt -b 0 -k --expect-exit 5
// expect: finding exit
// run: -s preempt -b 0 -k --expect-exit 6
// expect: finding exit
// run: -s preempt -b 0 -- bits
// expect: no finding
// run: -s preempt -b 0 -- requeue
// expect: no finding
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word, other;
static int numbers[3] = {0, 1, 2};
static int woken[3];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static long futex(int *at, int operation, long value, long value2, int *second, unsigned bits)
{
    return syscall(SYS_futex, at, operation, value, value2, second, bits);
}

static int mask(void)
{
    pthread_mutex_lock(&mutex);
    int result = woken[0] | woken[1] << 1 | woken[2] << 2;
    pthread_mutex_unlock(&mutex);
    return result;
}

static void *wait_for_it(void *number)
{
    int me = *(int *)number;
    assert(futex(&word, FUTEX_WAIT_BITSET, 0, 0, NULL, 1u << me) == 0);
    pthread_mutex_lock(&mutex);
    woken[me] = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[3];
    const char *what = argc > 1 ? argv[1] : "";
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, wait_for_it, &numbers[i]);
    /* with no preemption allowed main goes on, so it has to let them sleep first */
    while (futex(&word, FUTEX_REQUEUE, 0, INT_MAX, &other, 0) != 0 ||
           futex(&other, FUTEX_CMP_REQUEUE, 0, INT_MAX, &word, 0) != 3)
        usleep(1);
    int result = 0;
    if (strcmp(what, "bits") == 0) {
        assert(futex(&word, FUTEX_WAKE_BITSET, INT_MAX, 0, NULL, 8) == 0);
        assert(futex(&word, FUTEX_WAKE_BITSET, INT_MAX, 0, NULL, 5) == 2);
        pthread_join(threads[0], NULL);
        pthread_join(threads[2], NULL);
        assert(mask() == 5);
        assert(futex(&word, FUTEX_WAKE, 0, 0, NULL, 0) == 1); /* Linux wakes one for 0, too */
        pthread_join(threads[1], NULL);
        return 0;
    }
    if (strcmp(what, "requeue") == 0) {
        assert(futex(&word, FUTEX_CMP_REQUEUE, 1, INT_MAX, &other, 1) == -1 && errno == EAGAIN);
        assert(futex(&word, FUTEX_CMP_REQUEUE, 1, INT_MAX, &other, 0) == 3);
        assert(futex(&word, FUTEX_WAKE, INT_MAX, 0, NULL, 0) == 0);
        assert(futex(&other, FUTEX_WAKE, INT_MAX, 0, NULL, 0) == 2);
    } else {
        assert(futex(&word, FUTEX_WAKE, 2, 0, NULL, 0) == 2);
        for (int i = 0; i < 10 && __builtin_popcount((unsigned)(result = mask())) < 2; i++)
            usleep(1);
        assert(futex(&word, FUTEX_WAKE, 2, 0, NULL, 0) == 1);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return result;
}
