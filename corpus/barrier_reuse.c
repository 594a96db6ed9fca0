// A barrier made by hand: the last to arrive sets the count back to 0 and wakes the others, which
// wait for that 0. A fast thread that comes to the barrier again makes it 1 before the others have
// looked; they go back to sleep, and it waits for them.
// group: idioms
// threads: 3
// finds: deadlock
// lines: 30 42
// pb: 0
// db: 0
// options: --exit wait
// variants: barrier_reuse
// variants: barrier_reuse_fixed -DFIXED
// finds barrier_reuse_fixed: nothing
// pb barrier_reuse_fixed: -
// db barrier_reuse_fixed: -
// twin: barrier_reuse_fixed
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 2, ROUNDS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int arrived, round_number;
static int done[ROUNDS][THREADS];

static void barrier_wait(void)
{
    pthread_mutex_lock(&lock);
    if (++arrived == THREADS) {
        arrived = 0;
        round_number++;
        pthread_cond_broadcast(&all_here);
    } else {
#ifdef FIXED
        int mine = round_number;
        while (round_number == mine)
            pthread_cond_wait(&all_here, &lock);
#else
        while (arrived != 0)
            pthread_cond_wait(&all_here, &lock);
#endif
    }
    pthread_mutex_unlock(&lock);
}

static void *compute(void *argument)
{
    int self = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        done[round][self] = 1;
        barrier_wait();
        assert(done[round][!self] == 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int numbers[THREADS] = {0, 1};
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, compute, &numbers[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
