// A signal to the process goes to a thread that does not block it; if there are several, each of
// them is an outcome. T1 and T2 wait for a semaphore without blocking it, main blocks it: kill has
// two outcomes. The one that was meant runs the handler (restarting its wait), then main posts
// twice.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
// expect: classes >= 2
// run: -s dfs -k -- claim
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t semaphore, handled;
static pthread_t threads[2];
static volatile int by = -1;
static int claims;

static void on_signal(int number)
{
    for (int i = 0; i < 2; i++)
        if (pthread_equal(pthread_self(), threads[i]))
            by = i;
    sem_post(&handled);
}

static void *work(void *unused)
{
    sem_wait(&semaphore);
    return unused;
}

int main(int argc, char **argv)
{
    sigset_t set;
    claims = argc > 1;
    sem_init(&semaphore, 0, 0);
    sem_init(&handled, 0, 0);
    signal(SIGUSR1, on_signal);
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    assert(kill(getpid(), SIGUSR1) == 0);
    sem_wait(&handled);
    assert(by == 0 || by == 1);
    assert(!claims || by == 0); /* wrong: it may be either */
    sem_post(&semaphore);
    sem_post(&semaphore);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return argv == NULL;
}
