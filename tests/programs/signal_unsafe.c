// A signal handler calls a function that is not async-signal-safe, and the signal can interrupt its
// thread inside malloc or stdio, or while it holds a lock.
// modes: all first
// run: -s dfs -k -- printf printf
// expect: finding signal-unsafe
// expect: output T0 (act, signal_unsafe.c:
// expect: output in its handler of SIGUSR1: printf is not async-signal-safe, and the signal can interrupt printf
// expect: output (work, line
// expect: complete == true
// run: -s dpor -k -- printf malloc
// expect: finding signal-unsafe
// expect: output the signal can interrupt malloc
// run: -s preempt -- malloc free
// expect: finding signal-unsafe
// expect: output malloc is not async-signal-safe, and the signal can interrupt free
// run: -s dfs -k -- malloc printf
// expect: finding signal-unsafe
// run: -s dfs -k -- free malloc
// expect: finding signal-unsafe
// run: -s dfs -k -- lock malloc
// expect: finding signal-unsafe
// expect: output pthread_mutex_lock is not async-signal-safe, and the signal can interrupt malloc
// run: -s dfs -k -- exit fwrite
// expect: finding signal-unsafe
// expect: output exit is not async-signal-safe, and the signal can interrupt fwrite
// run: -s dfs -k -- localtime fopen
// expect: finding signal-unsafe
// run: -s dfs -k -- snprintf printf
// expect: finding signal-unsafe
// run: -s random -n 200 -- dprintf strdup
// expect: finding signal-unsafe
// run: -s pct -n 200 -k -- cond printf
// expect: finding signal-unsafe
// run: -s dfs -k -- printf mutex
// expect: finding signal-unsafe
// expect: output printf is not async-signal-safe, and the thread holds a lock: mutex (work, line
// run: -s dfs -k -- lock other
// expect: finding signal-unsafe
// expect: output pthread_mutex_lock is not async-signal-safe, and the thread holds a lock: other (work, line
// run: -s dfs -k -- lock mutex
// expect: finding signal-unsafe
// expect: finding deadlock
// run: -s dfs -k -- trylock mutex
// expect: finding signal-unsafe
// run: -s dfs -k -- malloc rwlock
// expect: finding signal-unsafe
// expect: output and the thread holds a lock: rwlock
// run: -s dfs -k -- malloc spin
// expect: finding signal-unsafe
// run: -s dfs -k -- puts flockfile
// expect: finding signal-unsafe
// expect: output puts is not async-signal-safe, and the thread holds a lock: stdout
// run: -s dfs -k -- raise printf
// expect: finding signal-unsafe
// run: -s dfs -k --detect -signal-unsafe -- printf printf
// expect: no finding
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_t main_thread;
static volatile sig_atomic_t come;
static void *volatile block;
static const char *what, *doing;

static int is(const char *text, const char *word)
{
    return strcmp(text, word) == 0;
}

static void act(int number)
{
    char text[16];
    time_t time = 0;
    come = number;
    if (is(what, "printf") || (is(what, "raise") && number == SIGUSR2))
        printf("signal %d\n", number);
    else if (is(what, "raise"))
        raise(SIGUSR2);
    else if (is(what, "malloc"))
        block = malloc(16);
    else if (is(what, "free"))
        free(block);
    else if (is(what, "puts"))
        puts("signal");
    else if (is(what, "exit"))
        exit(0);
    else if (is(what, "snprintf"))
        snprintf(text, sizeof text, "%d", number);
    else if (is(what, "dprintf"))
        dprintf(1, "%d", number);
    else if (is(what, "localtime"))
        come = localtime(&time)->tm_sec;
    else if (is(what, "cond"))
        pthread_cond_signal(&cond);
    else if (is(what, "trylock") && pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    else if (is(what, "lock")) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

static void *send(void *unused)
{
    pthread_kill(main_thread, SIGUSR1);
    return unused;
}

static void work(void)
{
    FILE *file;
    if (is(doing, "printf"))
        printf("working %d\n", 1);
    if (is(doing, "fwrite"))
        fwrite("working\n", 1, 8, stdout);
    if (is(doing, "malloc"))
        block = malloc(16);
    if (is(doing, "strdup"))
        block = strdup("working");
    if (is(doing, "free"))
        free(block);
    if (is(doing, "fopen") && (file = fopen("/dev/null", "r")) != NULL)
        fclose(file);
    if (is(doing, "mutex")) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    if (is(doing, "other")) {
        pthread_mutex_lock(&other);
        pthread_mutex_unlock(&other);
    }
    if (is(doing, "rwlock")) {
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
    }
    if (is(doing, "spin")) {
        pthread_spin_lock(&spin);
        pthread_spin_unlock(&spin);
    }
    if (is(doing, "flockfile")) {
        flockfile(stdout);
        funlockfile(stdout);
    }
}

int main(int argc, char **argv)
{
    pthread_t sender;
    what = argv[argc - 2];
    doing = argv[argc - 1];
    main_thread = pthread_self();
    pthread_spin_init(&spin, 0);
    if (is(what, "free") || is(doing, "free"))
        block = malloc(16);
    signal(SIGUSR1, act);
    signal(SIGUSR2, act);
    pthread_create(&sender, NULL, send, NULL);
    work();
    pthread_join(sender, NULL);
    return 0;
}
