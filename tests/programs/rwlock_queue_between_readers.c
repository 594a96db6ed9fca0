// A writer waits in the queue of a lock that prefers writers. The reader inside may leave before another one comes, which
// then comes after the writer: it gets the lock, or its time is over while the writer is inside.
// build: gcc -O1
// expect: no finding
// expect: classes 22
// run: -k --races off -s dfs
// run: -k --races off -s dpor
// run: -k --races off -s best --reduction classic
// run: -k --races off -s bpor
// run: -k --races off -s bpor -j 2
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>
static pthread_rwlock_t lock;
static volatile int data;
static const struct timespec past;
static void *writes(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    data = 1;
    return argument;
}
static void *reads(void *argument)
{
    if (pthread_rwlock_timedrdlock(&lock, &past) == 0)
        pthread_rwlock_unlock(&lock);
    return argument;
}
static void *looks_and_reads(void *argument)
{
    (void)data;
    return reads(argument);
}
int main(void)
{
    void *(*const bodies[])(void *) = {writes, looks_and_reads, reads};
    pthread_rwlockattr_t attributes;
    pthread_t threads[3];
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
