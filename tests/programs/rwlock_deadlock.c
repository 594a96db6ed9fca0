// A reader that wants to write waits for itself; so do others for a writer that never unlocks.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -- upgrade
// expect: finding deadlock
// expect: output write-lock lock
// run: -s dfs -- forgotten
// expect: finding deadlock
// expect: output T0 holds it
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *read_it(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(int argc, char **argv)
{
    if (strcmp(argv[argc - 1], "upgrade") == 0) {
        pthread_rwlock_rdlock(&lock);
        pthread_rwlock_wrlock(&lock);
    }
    pthread_t reader;
    pthread_rwlock_wrlock(&lock);
    pthread_create(&reader, NULL, read_it, NULL);
    pthread_join(reader, NULL);
    return 0;
}
