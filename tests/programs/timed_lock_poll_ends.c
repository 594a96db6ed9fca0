// Loops around timed locks and timed semaphore waits end under every strategy.
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: cut == 0
// expect: max_steps < 40
// run: -s preempt -b 1
// expect: no finding
// expect: cut == 0
// run: -s random -n 300
// expect: no finding
// expect: cut == 0
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;

static void *poll_it(void *unused)
{
    struct timespec deadline = {.tv_sec = time(NULL)};
    while (pthread_mutex_timedlock(&mutex, &deadline) != 0)
        deadline.tv_sec++;
    pthread_mutex_unlock(&mutex);
    while (sem_timedwait(&ready, &deadline) != 0)
        deadline.tv_sec++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, poll_it, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    sem_post(&ready);
    pthread_join(thread, NULL);
    return 0;
}
