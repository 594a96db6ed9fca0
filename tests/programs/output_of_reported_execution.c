// Output of the program is shown once, for the execution that is reported, and not for the others.
// run: -s dfs
// expect: finding assertion
// expect: output late is 1
// expect: silence late is 0
// expect: findings[0].line == 30
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int late;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    late = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    printf("late is %d\n", late);
    int seen = late;
    pthread_mutex_unlock(&mutex);
    assert(!seen);
    pthread_join(thread, NULL);
    return 0;
}
