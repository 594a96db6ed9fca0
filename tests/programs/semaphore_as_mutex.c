// A semaphore of one, with a name that both threads open, is a mutex; a try-wait loop ends; and
// nothing of it is left for the next execution.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s preempt -b 1
// expect: no finding
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static const char *name = "/bohr-semaphore-as-mutex";
static int total;

static void *work(void *unused)
{
    sem_t *semaphore = sem_open(name, O_CREAT, 0600, 1);
    while (sem_trywait(semaphore) != 0)
        ;
    total++;
    sem_post(semaphore);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(total == 2);
    sem_unlink(name);
    return 0;
}
