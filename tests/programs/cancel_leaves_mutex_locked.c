// The classic mistake: a thread is cancelled while it holds a mutex, without a cleanup handler. The
// next one waits forever, but only if the request comes in time.
// modes: all
// run: -s dfs -k
// expect: finding deadlock
// expect: complete == true
// expect: output T1 holds it
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    usleep(1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
