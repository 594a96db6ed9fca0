// A barrier of a mutex and a condition variable, used twice. Without a generation, a fast thread enters
// the next round before a slow one has left this one: deadlock.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -k
// expect: no finding
// expect: complete == true
// run: -s dfs -k -- without
// expect: finding deadlock
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, generation, round_of[2];
static bool has_generations;

static void barrier_wait(void)
{
    pthread_mutex_lock(&mutex);
    int mine = generation;
    if (++waiting == 2) {
        waiting = 0;
        generation++;
        pthread_cond_broadcast(&changed);
    } else {
        while (has_generations ? mine == generation : waiting != 0)
            pthread_cond_wait(&changed, &mutex);
    }
    pthread_mutex_unlock(&mutex);
}

static void *work(void *number)
{
    int me = (int)(long)number;
    for (int round = 0; round < 2; round++) {
        round_of[me] = round;
        barrier_wait();
        if (has_generations && round == 0)
            assert(round_of[1 - me] >= round);
        barrier_wait();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    has_generations = argc == 1;
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
