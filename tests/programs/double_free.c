// One block freed by two threads, in order but twice.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: finding double-free
// expect: output after T0 freed it
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *drop(void *block)
{
    pthread_mutex_lock(&mutex);
    free(block);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    int *block = malloc(sizeof *block);
    pthread_t thread;
    pthread_create(&thread, NULL, drop, block);
    drop(block);
    pthread_join(thread, NULL);
    return 0;
}
