// main may end by pthread_exit: the program goes on until its last thread ends, with status 0.
// run: -s dfs --expect-exit 0
// expect: no finding
// expect: complete == true
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int started;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    started++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void check(void)
{
    if (started != 2)
        abort();
}

int main(void)
{
    atexit(check);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    pthread_exit(NULL);
}
