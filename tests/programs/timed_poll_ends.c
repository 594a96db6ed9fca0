// Loops that try again after each timeout end: a thread that times out twice at one place lets the others
// have a step first.
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: cut == 0
// expect: max_steps < 40
// run: -s preempt -b 1
// expect: no finding
// expect: complete == true
// expect: cut == 0
// run: -s random -n 300
// expect: no finding
// expect: cut == 0
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *poll_it(void *unused)
{
    struct timespec deadline = {.tv_sec = time(NULL)};
    pthread_mutex_lock(&mutex);
    while (!ready) {
        deadline.tv_sec++;
        int result = pthread_cond_timedwait(&changed, &mutex, &deadline);
        assert(result == 0 || result == ETIMEDOUT);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, poll_it, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
