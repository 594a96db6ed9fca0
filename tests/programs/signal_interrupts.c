// A handler interrupts a thread that waits: EINTR, if the call is one of those and the handler was
// not installed with SA_RESTART. The thread comes to its call when it is created; main sends, posts
// and joins. The handler runs before or after the post, and each time in the call, which fails, or
// just before it, after which the call waits as if nothing had happened: 4 executions. With
// SA_RESTART both are the same: 2. A lock is never interrupted: there main holds the mutex instead
// and unlocks.
// modes: all preload
// run: -s dfs -- sem
// expect: executions 4
// expect: no finding
// run: -s dfs -- restart
// expect: executions 2
// expect: no finding
// run: -s dfs -- lock
// expect: executions 2
// expect: no finding
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t handled;
static const char *way;

static void on_signal(int number)
{
    handled = number;
}

static void *work(void *unused)
{
    if (strcmp(way, "lock") == 0) {
        assert(pthread_mutex_lock(&mutex) == 0);
        pthread_mutex_unlock(&mutex);
    } else if (sem_wait(&semaphore) != 0) {
        assert(errno == EINTR && strcmp(way, "sem") == 0);
    }
    assert(handled == SIGUSR1);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    way = argc > 1 ? argv[1] : "restart";
    struct sigaction action = {.sa_handler = on_signal};
    action.sa_flags = strcmp(way, "restart") == 0 ? SA_RESTART : 0;
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&semaphore, 0, 0);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    assert(pthread_kill(thread, SIGUSR1) == 0);
    if (strcmp(way, "lock") == 0)
        pthread_mutex_unlock(&mutex);
    else
        sem_post(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
