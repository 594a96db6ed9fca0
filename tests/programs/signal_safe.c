// Signal handlers that call what they may: functions that are async-signal-safe, wherever the signal
// strikes; any function, where the signal cannot interrupt malloc, stdio or a thread that holds a lock.
// modes: all first
// run: -s dfs -k -- safe
// expect: no finding
// expect: complete == true
// run: -s dfs -k -- blocked
// expect: no finding
// run: -s dfs -k -- raise
// expect: no finding
// run: -s dfs -k -- self
// expect: no finding
// run: -s dfs -k -- locked-raise
// expect: no finding
// run: -s dfs -k -- sigsuspend
// expect: no finding
// run: -s dfs -k -- locked-sigsuspend
// expect: no finding
// run: -s dfs -k -- ppoll
// expect: no finding
// run: -s dfs -k -- let-in
// expect: no finding
// run: -s dfs -k -- before
// expect: no finding
// run: -s dfs -k -- other-thread
// expect: no finding
// run: -s dfs -k -- twice
// expect: no finding
// run: -s dfs -k --races warn --detect -deadlock -- racy-flag
// expect: silence signal-safe
// run: -s dfs -k --races warn --points sync -- racy-flag
// expect: silence signal-safe
// run: -s dfs -k -- nothing
// expect: no finding
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t main_thread;
static sem_t handled, ready;
static atomic_int count;
static void *volatile block;
static const char *how;
static volatile int flag;
static sigset_t one;

static int is(const char *word)
{
    return strcmp(how, word) == 0;
}

static void safe(int number)
{
    int error = errno;
    struct timespec time;
    sigset_t set;
    char text[8] = "signal\n";
    atomic_fetch_add(&count, 1);
    sem_post(&handled);
    write(1, text, strlen(text));
    clock_gettime(CLOCK_REALTIME, &time);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    signal(SIGUSR2, SIG_IGN);
    kill(getpid(), SIGUSR2);
    if (pthread_equal(pthread_self(), main_thread))
        pthread_kill(main_thread, SIGUSR2);
    int file = open("/dev/null", O_WRONLY);
    memcpy(text, "closed", 7);
    write(file, text, 6);
    close(file);
    waitpid(-1, NULL, WNOHANG);
    errno = error;
}

static void unsafe(int number)
{
    printf("signal %d\n", number);
    free(malloc(16));
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&own);
    pthread_mutex_unlock(&own);
    atomic_fetch_add(&count, 1);
    sem_post(&handled);
}

static void *send(void *unused)
{
    if (is("before"))
        sem_wait(&ready);
    if (is("racy-flag")) {
        sched_yield();
        if (!flag)
            return unused;
    }
    pthread_kill(main_thread, SIGUSR1);
    if (is("twice"))
        pthread_kill(main_thread, SIGUSR1);
    return unused;
}

/* This thread does what main does in other programs: main only waits. */
static void *use(void *unused)
{
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    pthread_mutex_lock(&mutex);
    printf("working\n");
    block = malloc(16);
    pthread_mutex_unlock(&mutex);
    free(block);
    kill(getpid(), SIGUSR1);
    return unused;
}

static void work(void)
{
    pthread_mutex_lock(&mutex);
    printf("working\n");
    block = malloc(16);
    pthread_mutex_unlock(&mutex);
    free(block);
}

int main(int argc, char **argv)
{
    pthread_t sender;
    sigset_t none;
    how = argv[argc - 1];
    main_thread = pthread_self();
    sem_init(&handled, 0, 0);
    sem_init(&ready, 0, 0);
    sigemptyset(&none);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    signal(SIGUSR1, is("safe") ? safe : unsafe);
    if (is("raise") || is("self") || is("locked-raise")) {
        work();
        if (is("locked-raise"))
            pthread_mutex_lock(&mutex);
        if (is("self"))
            pthread_kill(pthread_self(), SIGUSR1);
        else
            raise(SIGUSR1);
        if (is("locked-raise"))
            pthread_mutex_unlock(&mutex);
        work();
        return count != 1;
    }
    if (is("blocked") || strstr(how, "sigsuspend") != NULL || is("ppoll") || is("let-in"))
        pthread_sigmask(SIG_BLOCK, &one, NULL);
    pthread_create(&sender, NULL, is("other-thread") ? use : send, NULL);
    if (is("safe") || is("blocked"))
        work();
    if (is("racy-flag")) { /* the sender has seen that it is done */
        block = malloc(16);
        flag = 1;
    }
    if (is("before")) {
        work();
        sem_post(&ready);
    }
    if (is("sigsuspend") || is("locked-sigsuspend")) {
        work();
        if (is("locked-sigsuspend"))
            pthread_mutex_lock(&mutex);
        while (count == 0)
            sigsuspend(&none);
        if (is("locked-sigsuspend"))
            pthread_mutex_unlock(&mutex);
    }
    if (is("ppoll")) {
        work();
        ppoll(NULL, 0, NULL, &none);
        work();
    }
    if (is("let-in")) { /* not inside the calls that lock and unlock */
        pthread_mutex_lock(&mutex);
        pthread_sigmask(SIG_UNBLOCK, &one, NULL);
        sem_wait(&handled);
        pthread_sigmask(SIG_BLOCK, &one, NULL);
        pthread_mutex_unlock(&mutex);
    }
    if (is("blocked"))
        pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    pthread_join(sender, NULL);
    return 0;
}
