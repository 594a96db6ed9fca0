// A writer that joins the queue of a lock that prefers writers shows that a reader is inside: it may time out there, and a
// reader that comes again waits forever. So blocks end where locks are taken.
// build: gcc -O1
// run: -k -s dfs -- timed
// expect: finding assertion
// run: -k -s exitblock -- timed
// expect: finding assertion
// run: -k -s exitblock-rw -- timed
// expect: finding assertion
// run: -k -s exitblock-dd -- timed
// expect: finding assertion
// run: -k -s exitblock-rwdd -- timed
// expect: finding assertion
// run: -k -s dfs -- again
// expect: finding deadlock
// run: -k -s exitblock-dd -- again
// expect: finding deadlock
// run: -k -s exitblock-rwdd -- again
// expect: finding deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
static pthread_rwlock_t lock;
static int again;
static const struct timespec past = {.tv_sec = 1};
static void *reads(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    if (again) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return argument;
}
static void *writes(void *argument)
{
    if (again)
        pthread_rwlock_wrlock(&lock);
    else
        assert(pthread_rwlock_timedwrlock(&lock, &past) == 0);
    pthread_rwlock_unlock(&lock);
    return argument;
}
int main(int count, char **arguments)
{
    pthread_rwlockattr_t attributes;
    pthread_t reader, writer;
    again = count > 1 && strcmp(arguments[1], "again") == 0;
    pthread_rwlockattr_init(&attributes);
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes);
    pthread_create(&reader, NULL, reads, NULL);
    pthread_create(&writer, NULL, writes, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    return 0;
}
