// Memory on a stack is called by the name of the variable: that of main as it is, that of another thread
// with the thread.
// build: gcc -O0
// build: clang -O1
// run: -s preempt -b 1 -k --no-shrink
// expect: finding race
// expect: output on T1's mine
// expect: output lock tally.mutex
// expect: silence 's stack
#include <pthread.h>

struct tally {
    long passed, failed;
    pthread_mutex_t mutex;
};

static void *nested(void *argument)
{
    *(int *)argument = 1;
    return NULL;
}

static void *work(void *argument)
{
    struct tally *tally = argument;
    int mine = 0;
    pthread_t thread;
    pthread_mutex_lock(&tally->mutex);
    tally->passed++;
    pthread_mutex_unlock(&tally->mutex);
    tally->failed++;
    pthread_create(&thread, NULL, nested, &mine);
    mine++;
    pthread_join(thread, NULL);
    return NULL;
}

int main(void)
{
    struct tally tally = {0};
    pthread_t thread;
    pthread_mutex_init(&tally.mutex, NULL);
    pthread_create(&thread, NULL, work, &tally);
    pthread_mutex_lock(&tally.mutex);
    tally.passed++;
    pthread_mutex_unlock(&tally.mutex);
    tally.failed++;
    pthread_join(thread, NULL);
    return 0;
}
