// A writer that locks its own lock again gets EDEADLK: it never waits there, so it can come before a writer that joins the
// queue of the lock meanwhile, and before one that leaves it.
// build: gcc -O1
// expect: classes 12
// run: -k -s dfs
// run: -k -s dpor
// run: -k -s dpor --reduction source
// run: -k -s best --reduction classic
// run: -k -s bpor
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
static pthread_rwlock_t lock;
static const struct timespec past = {.tv_sec = 1};
static void *writes_in_time(void *argument)
{
    if (pthread_rwlock_timedwrlock(&lock, &past) == 0)
        pthread_rwlock_unlock(&lock);
    return argument;
}
static void *locks_again(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}
int main(void)
{
    pthread_rwlockattr_t attributes;
    pthread_t first, second;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes);
    pthread_create(&first, NULL, writes_in_time, NULL);
    pthread_create(&second, NULL, locks_again, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
