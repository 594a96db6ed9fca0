// A handler that writes what another thread writes, without order between them: a race, though each
// thread by itself is right.
// modes: all
// run: -s dfs -k
// expect: finding race
// expect: output on_signal
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t semaphore;
static int data;

static void on_signal(int number)
{
    data++;
}

static void *work(void *unused)
{
    sem_wait(&semaphore);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    data++;
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
