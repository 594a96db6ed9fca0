// A thread unlocks a read-write lock that only others hold: libc lets one reader go. Whether the reader finds the lock free when
// it unlocks it depends on the threads that lock it to read meanwhile, so readers no longer commute.
// build: gcc -O1
// expect: finding misuse
// expect: classes 7
// run: -k --races off -s dfs
// run: -k --races off -s dpor
// run: -k --races off -s dpor -j 2
// run: -k --races off -s dpor --reduction source
// run: -k --races off -s best --reduction classic
// run: -k --races off -s bpor
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static void *reads(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}
static void *unlocks(void *argument)
{
    pthread_rwlock_unlock(&lock);
    return argument;
}
static void *locks(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    return argument;
}
int main(void)
{
    void *(*const bodies[])(void *) = {reads, unlocks, locks};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
