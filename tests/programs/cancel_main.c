// The first thread can be cancelled, too: the others go on, and when the last one ends the program
// ends with status 0, after the exit handlers.
// modes: all preload
// expect: complete == true
// run: -s dfs --expect-exit 0
// expect: no finding
// run: -s dfs -k -- handler
// expect: finding assertion
// expect: output exit handlers run
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t semaphore, done;
static pthread_t first;

static void at_exit(void)
{
    assert(!"exit handlers run");
}

static void *work(void *unused)
{
    assert(pthread_cancel(first) == 0);
    assert(pthread_join(first, &unused) == 0);
    assert(unused == PTHREAD_CANCELED);
    sem_post(&done);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    if (argc > 1)
        atexit(at_exit);
    first = pthread_self();
    sem_init(&semaphore, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&semaphore);
    return argv != NULL;
}
