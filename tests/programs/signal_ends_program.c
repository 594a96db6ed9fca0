// A signal without a handler ends the program, if its default action is that and a thread does not
// block it; the report names it. Blocked by all it waits; ignored it is nothing.
// run: -s dfs -- SIGTERM
// expect: finding crash
// expect: output ended by SIGTERM
// expect: output SIGTERM (Terminated)
// run: -s dfs -- thread
// expect: finding crash
// expect: output ended by SIGUSR1
// expect: output send SIGUSR1 to T1
// run: -s dfs -- kill
// expect: finding crash
// expect: output ended by SIGKILL
// run: -s dfs -- real-time
// expect: finding crash
// expect: output ended by a real-time signal
// run: -s dfs -- unblocked
// expect: finding crash
// expect: output ended by SIGTERM
// run: -s dfs -- ignored
// expect: no finding
// run: -s dfs -- blocked
// expect: no finding
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static sem_t semaphore;

static void *work(void *unused)
{
    sem_wait(&semaphore);
    return unused;
}

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "ignored";
    pthread_t thread;
    sigset_t set;
    sem_init(&semaphore, 0, 0);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    if (strcmp(way, "ignored") == 0)
        signal(SIGTERM, SIG_IGN);
    if (strcmp(way, "blocked") == 0 || strcmp(way, "unblocked") == 0)
        sigprocmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, work, NULL);
    if (strcmp(way, "thread") == 0)
        pthread_kill(thread, SIGUSR1);
    else if (strcmp(way, "kill") == 0)
        kill(getpid(), SIGKILL);
    else if (strcmp(way, "real-time") == 0)
        kill(getpid(), SIGRTMIN + 3);
    else
        kill(getpid(), SIGTERM);
    if (strcmp(way, "unblocked") == 0)
        sigprocmask(SIG_UNBLOCK, &set, NULL);
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    return 0;
}
