// A reader that waits until two values fit each other: futile iterations cost the reduction no
// executions.
// run: -s dpor -n 5000
// expect: no finding
// expect: claim.kind == all-classes
// run: -s dpor --reduction classic -n 5000
// expect: no finding
// expect: claim.kind == all-classes
// run: -s auto -n 50000
// expect: no finding
// expect: claim.kind == all-classes
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int seconds, nanoseconds;

static void *set(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        sequence++;
        seconds = i;
        nanoseconds = i;
        sequence++;
    }
    return unused;
}

static void *get(void *unused)
{
    unsigned before;
    do {
        before = sequence;
        (void)seconds;
        (void)nanoseconds;
    } while (before % 2 == 1 || sequence != before);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, set, NULL);
    pthread_create(&threads[1], NULL, get, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
