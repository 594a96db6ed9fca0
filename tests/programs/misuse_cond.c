// Uses of condition variables that POSIX leaves undefined are found. With "two", T1 and T2 wait with mutexes
// of their own; with "waited", main destroys the mutex and the condition variable of a waiting thread.
// modes: all
// run: -s dfs -k
// expect: finding misuse
// expect: executions 1
// expect: output a condition variable is waited on with a mutex that the thread does not hold
// expect: output a condition variable is initialised again and was not destroyed
// expect: output a condition variable is used after it was destroyed
// expect: output a condition variable is destroyed twice
// run: -s dfs -- two
// expect: finding misuse
// expect: output a condition variable is waited on with two mutexes
// expect: output also involved: T1
// run: -s dfs -k -- waited
// expect: finding misuse
// expect: finding race
// expect: output a condition variable is destroyed that a thread waits on
// expect: output a condition variable is initialised that a thread waits on
// expect: output a mutex is destroyed that a waiting thread will lock again
// expect: output also involved: T1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;
static const struct timespec past = {.tv_sec = 1};

static void *wait_once(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_cond_timedwait(&cond, mutex, &past);
    pthread_mutex_unlock(mutex);
    return NULL;
}

static void use_two(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, wait_once, &mutexes[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void *wait_ready(void *unused)
{
    pthread_mutex_lock(&mutexes[0]);
    int late = ready;
    ready = 1;
    while (!late && ready != 2)
        pthread_cond_wait(&cond, &mutexes[0]);
    pthread_mutex_unlock(&mutexes[0]);
    return unused;
}

static void destroy_waited(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_ready, NULL);
    pthread_mutex_lock(&mutexes[0]);
    int waits = ready;
    ready = 2;
    pthread_mutex_unlock(&mutexes[0]);
    if (waits) {
        assert(pthread_mutex_destroy(&mutexes[0]) == EBUSY);
        assert(pthread_cond_destroy(&cond) == EBUSY);
        pthread_cond_init(&cond, NULL);
        pthread_cond_signal(&cond);
    }
    pthread_join(thread, NULL);
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "";
    if (strcmp(way, "two") == 0) {
        use_two();
        return 0;
    }
    if (strcmp(way, "waited") == 0) {
        destroy_waited();
        return 0;
    }
    assert(pthread_cond_timedwait(&cond, &mutexes[0], &past) == ETIMEDOUT);
    pthread_mutex_unlock(&mutexes[0]);
    pthread_cond_init(&cond, NULL);
    pthread_cond_init(&cond, NULL);
    assert(pthread_cond_destroy(&cond) == 0);
    assert(pthread_cond_signal(&cond) == 0);
    assert(pthread_cond_destroy(&cond) == 0);
    return 0;
}
