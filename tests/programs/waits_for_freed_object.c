// A thread that waits for an object of a freed block is never enabled. The use after free is found where it begins to
// wait; the deadlock that follows is a second finding, since every execution has the first.
// modes: all
// run: -s dfs -- semaphore
// expect: finding use-after-free
// expect: finding deadlock
// expect: output uses it (
// run: -s dpor -- semaphore
// expect: finding use-after-free
// expect: finding deadlock
// run: -s dfs -- mutex
// expect: finding use-after-free
// expect: finding deadlock
// expect: finding misuse
// run: -s dfs -- rwlock
// expect: finding use-after-free
// expect: finding misuse
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static struct shared {
    sem_t semaphore;
    pthread_mutex_t mutex;
    pthread_rwlock_t rwlock;
} *shared;

static void *release(void *unused)
{
    free(shared);
    return unused;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "";
    pthread_t thread;
    shared = calloc(1, sizeof *shared);
    sem_init(&shared->semaphore, 0, 0);
    pthread_mutex_init(&shared->mutex, NULL);
    pthread_rwlock_init(&shared->rwlock, NULL);
    if (strcmp(way, "mutex") == 0)
        pthread_mutex_lock(&shared->mutex);
    if (strcmp(way, "rwlock") == 0)
        pthread_rwlock_wrlock(&shared->rwlock);
    pthread_create(&thread, NULL, release, NULL);
    pthread_join(thread, NULL);
    if (strcmp(way, "semaphore") == 0)
        sem_wait(&shared->semaphore);
    if (strcmp(way, "mutex") == 0)
        pthread_mutex_lock(&shared->mutex);
    if (strcmp(way, "rwlock") == 0)
        pthread_rwlock_rdlock(&shared->rwlock);
    return 0;
}
