// signal with two waiters may wake either, and that costs no preemption: both winners are seen with
// none allowed.
// run: -s preempt -b 0 -k --expect-exit 1
// expect: finding exit
// expect: complete == true
// run: -s preempt -b 0 -k --expect-exit 2
// expect: finding exit
// run: -s dfs --expect-exit any
// expect: exit 0
// expect: findings[0].kind == exit
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t asleep = PTHREAD_COND_INITIALIZER;
static int waiting, winner;

static void *wait_for_it(void *number)
{
    pthread_mutex_lock(&mutex);
    waiting++;
    pthread_cond_signal(&asleep);
    pthread_cond_wait(&changed, &mutex);
    if (winner == 0)
        winner = *(int *)number;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait_for_it, &numbers[i]);
    pthread_mutex_lock(&mutex);
    while (waiting < 2)
        pthread_cond_wait(&asleep, &mutex);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return winner;
}
