// Two threads wait, main posts twice: at each post either may go on. One thread's single step lies
// after the first post, the other's anywhere after: 6 executions. A post tells what came before it.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: executions 6
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t ready;
static int written;

static void *work(void *unused)
{
    assert(sem_wait(&ready) == 0);
    assert(written == 1);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    sem_init(&ready, 0, 0);
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    written = 1;
    sem_post(&ready);
    sem_post(&ready);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
