// An endless loop that never calls anything, in some executions only.
// build: gcc -O0
// check: no
// run: -s dfs --hang 1
// expect: finding hang
// run: -s dfs -k --hang 1
// expect: finding hang
// expect: complete == true
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    int seen = ready;
    pthread_mutex_unlock(&mutex);
    for (unsigned turns = 0; !seen; turns++)
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
