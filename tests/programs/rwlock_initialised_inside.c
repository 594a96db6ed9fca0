// A writer initialises its lock, which prefers writers, as one that does not, while it holds it. Another writer that came before
// that joined the queue, although it could not have had the lock.
// build: gcc -O1
// expect: no finding
// expect: classes 4
// run: -k --races off --detect -misuse --points all -s dfs
// run: -k --races off --detect -misuse --points all -s dpor
// run: -k --races off --detect -misuse --points all -s dpor -j 2
// run: -k --races off --detect -misuse --points all -s best --reduction classic
// run: -k --races off --detect -misuse --points all -s bpor
#define _GNU_SOURCE
#include <pthread.h>
static pthread_rwlock_t lock;
static volatile int data;
static void *initialises(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_init(&lock, NULL);
    return argument;
}
static void *writes(void *argument)
{
    data = 1;
    pthread_rwlock_wrlock(&lock);
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
    pthread_create(&first, NULL, initialises, NULL);
    pthread_create(&second, NULL, writes, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
