// A reader that locks twice while a writer waits: with glibc's default the second lock succeeds; a
// lock that prefers writers lets nobody in while one waits, a deadlock. But only if the writer came
// in between: to join the queue is a step of its own.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -- default
// expect: no finding
// expect: complete == true
// run: -s dfs -k -- writers
// expect: finding deadlock
// expect: complete == true
// expect: executions 39
// expect: output queue to write-lock
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_rwlock_t lock;
static pthread_rwlock_t writers = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void *read_twice(void *which)
{
    pthread_rwlock_rdlock(which);
    pthread_rwlock_rdlock(which);
    pthread_rwlock_unlock(which);
    pthread_rwlock_unlock(which);
    return NULL;
}

static void *write_it(void *which)
{
    pthread_rwlock_wrlock(which);
    pthread_rwlock_unlock(which);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t reader, writer;
    pthread_rwlock_t *which = strcmp(argv[argc - 1], "writers") == 0 ? &writers : &lock;
    pthread_rwlock_init(&lock, NULL);
    pthread_create(&reader, NULL, read_twice, which);
    pthread_create(&writer, NULL, write_it, which);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    return 0;
}
