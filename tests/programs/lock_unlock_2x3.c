// Two threads, three critical sections each: all interleavings, counted by hand in the design.
// run: -s dfs
// expect: no finding
// expect: executions 156
// expect: classes 20
// expect: complete == true
// expect: claim.kind == all
// expect: threads 3
// expect: max_steps == 17
// run: -s preempt -b 2
// expect: no finding
// expect: claim.kind == within-bound
// expect: claim.value == 2
// expect: per_bound[0].executions == 3
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *unused)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return counter == 6 ? 0 : 1;
}
