// A thread that locks a normal mutex twice waits for itself.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: finding deadlock
// expect: executions 1
// expect: output mutex
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return 0;
}
