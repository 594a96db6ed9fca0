// A lock that prefers writers is initialised again as one that does not. Whether a writer joins a queue shows when it takes its
// step, not when it comes to the lock: until then the lock may become one of the other kind.
// build: gcc -O1
// expect: no finding
// expect: classes 26
// run: -k --races off --detect -misuse --points all -s dfs
// run: -k --races off --detect -misuse --points all -s preempt
// run: -k --races off --detect -misuse --points all -s dpor
// run: -k --races off --detect -misuse --points all -s dpor -j 2
// run: -k --races off --detect -misuse --points all -s best --reduction classic
// run: -k --races off --detect -misuse --points all -s bpor
#define _GNU_SOURCE
#include <pthread.h>
static pthread_rwlock_t lock;
static void *writes(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}
static void *initialises(void *argument)
{
    pthread_rwlock_init(&lock, NULL);
    return argument;
}
int main(void)
{
    void *(*const bodies[])(void *) = {writes, initialises, writes};
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
