// Whether a thread's handle still means something is found out by the step that uses it: a join may come first.
// build: gcc -O1
// run: -k -s dfs -- kill
// expect: finding misuse
// run: -k -s dpor -- kill
// expect: finding misuse
// run: -k -s dfs -- cancel
// expect: finding misuse
// run: -k -s dpor -- cancel
// expect: finding misuse
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>

static pthread_t worker;
static const char *how;

static void *empty(void *unused)
{
    return NULL;
}

static void *user(void *unused)
{
    if (strcmp(how, "kill") == 0)
        pthread_kill(worker, SIGUSR1);
    else
        pthread_cancel(worker);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t other;
    how = argv[1];
    signal(SIGUSR1, SIG_IGN);
    pthread_create(&worker, NULL, empty, NULL);
    pthread_create(&other, NULL, user, NULL);
    pthread_join(worker, NULL);
    pthread_join(other, NULL);
    return 0;
}
