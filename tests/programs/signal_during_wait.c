// A handler runs while its thread waits on a condition variable or at a barrier, and has operations
// of its own. What wakes the thread meanwhile is not lost.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs -- barrier
// expect: no finding
// expect: complete == true
// run: -s dfs -- futex
// expect: no finding
// expect: complete == true
// run: -s random -n 200
// expect: no finding
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t handled;
static atomic_int word;
static int ready;
static const char *way;

static void on_signal(int number)
{
    sem_post(&handled);
}

static void *work(void *unused)
{
    if (strcmp(way, "barrier") == 0) {
        pthread_barrier_wait(&barrier);
        return unused;
    }
    if (strcmp(way, "futex") == 0) {
        while (word == 0)
            syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
        return unused;
    }
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "cond";
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&handled, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, work, NULL);
    pthread_kill(thread, SIGUSR1);
    if (strcmp(way, "barrier") == 0) {
        pthread_barrier_wait(&barrier);
    } else if (strcmp(way, "futex") == 0) {
        word = 1;
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    } else {
        pthread_mutex_lock(&mutex);
        ready = 1;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, NULL);
    return 0;
}
