// A barrier for three that two threads come to: a deadlock.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: finding deadlock
// expect: output leave barrier
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void *work(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&thread, NULL, work, NULL);
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    return 0;
}
