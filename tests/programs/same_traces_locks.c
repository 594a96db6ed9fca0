// Traces are the same in every isolation mode, on both carriers, from both compilers, and where nothing is
// instrumented: locks only.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 42
// expect: classes 6
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
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
    return counter == 4 ? 0 : 1;
}
