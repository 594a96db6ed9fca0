// Values that a thread writes before it sends a signal, sets a timer or requests cancellation are there for
// the handler or the cleanup: no race.
// modes: all preload
// run: -s dfs -- kill
// expect: no finding
// run: -s dfs -- timer
// expect: no finding
// run: -s dfs -- cancel
// expect: no finding
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static sem_t semaphore, handled;
static int data;

static void on_signal(int number)
{
    assert(data == 1);
    sem_post(&handled);
}

static void clean(void *unused)
{
    assert(data == 1);
}

static void *work(void *unused)
{
    pthread_cleanup_push(clean, NULL);
    while (sem_wait(&semaphore) != 0)
        continue;
    pthread_cleanup_pop(0);
    return unused;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "kill";
    pthread_t thread;
    sigset_t set;
    sem_init(&semaphore, 0, 0);
    sem_init(&handled, 0, 0);
    signal(SIGUSR1, on_signal);
    signal(SIGALRM, on_signal);
    pthread_create(&thread, NULL, work, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    data = 1;
    if (strcmp(way, "cancel") == 0) {
        pthread_cancel(thread);
    } else {
        if (strcmp(way, "kill") == 0)
            pthread_kill(thread, SIGUSR1);
        else
            alarm(1);
        sem_wait(&handled);
        sem_post(&semaphore);
    }
    pthread_join(thread, NULL);
    return 0;
}
