// POSIX lists fork and waitpid among the functions that synchronise memory. A thread that waits for a child
// which another thread started sees what that one wrote before: no race.
// modes: all
// run: -s dfs -k
// expect: no finding
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int data;

static void *start(void *unused)
{
    data = 1;
    if (fork() == 0)
        _exit(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 1;
    pthread_create(&thread, NULL, start, NULL);
    if (waitpid(-1, NULL, 0) > 0)
        seen = data;
    pthread_join(thread, NULL);
    return seen != 1;
}
