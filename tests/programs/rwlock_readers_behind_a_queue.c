// A reader has to wait while a writer is in the queue of a lock that prefers writers, also when the lock is free or other
// readers are inside. So it can come before the first writer that joins the queue, but not between two of them.
// build: gcc -O1
// run: -k -s dfs -- RWR
// expect: classes 9
// run: -k -s dpor -- RWR
// expect: classes 9
// run: -k -s best --reduction classic -- RWR
// expect: classes 9
// run: -k -s dfs -- WWW
// expect: classes 42
// run: -k -s dpor -- WWW
// expect: classes 42
// expect: executions 42
// run: -k -s preempt -b 9 -- WWRR
// expect: classes 106
// run: -k -s dpor -- WWRR
// expect: classes 106
// expect: executions 106
// expect: claim.kind == all-classes
// run: -k -s dpor -j 2 -- WWRR
// expect: classes 106
// run: -k -s dpor --reduction source -- WWRR
// expect: classes 106
// run: -k -s dpor --reduction classic -- WWRR
// expect: classes 106
// run: -k -s best --reduction classic -- WWRR
// expect: classes 106
// run: -k -s bpor -- WWRR
// expect: classes 106
#define _GNU_SOURCE
#include <pthread.h>
static pthread_rwlock_t lock;
static void *writes(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}
static void *reads(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}
int main(int count, char **arguments)
{
    pthread_rwlockattr_t attributes;
    pthread_t threads[4];
    int made = 0;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes);
    for (const char *kind = count > 1 ? arguments[1] : ""; *kind != '\0' && made < 4; kind++)
        pthread_create(&threads[made++], NULL, *kind == 'W' ? writes : reads, NULL);
    for (int i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
