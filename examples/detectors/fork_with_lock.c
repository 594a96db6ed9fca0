/* A thread writes a log under a lock while main forks, and the child process writes to the log, too. */
#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void log_line(void)
{
    pthread_mutex_lock(&lock);
    lines++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    log_line();
    return unused;
}

#ifdef FIXED
static void take(void)
{
    pthread_mutex_lock(&lock);
}

static void release(void)
{
    pthread_mutex_unlock(&lock);
}
#endif

int main(void)
{
    pthread_t thread;
#ifdef FIXED
    pthread_atfork(take, release, release);
#endif
    pthread_create(&thread, NULL, work, NULL);
    pid_t child = fork();
    if (child == 0) {
        log_line();
        _exit(0);
    }
    waitpid(child, NULL, 0);
    pthread_join(thread, NULL);
    return 0;
}
