// A timer whose signal would end the program is a watchdog: it bites when nobody else can go on,
// and does not disturb as long as somebody can.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 10
// run: -s dfs -- stuck
// expect: finding deadlock
// expect: output until a timer's signal ends the program
// run: -s dfs -- sleeps
// expect: finding crash
// expect: output ended by SIGALRM
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    alarm(60);
    if (argc > 1 && strcmp(argv[1], "stuck") == 0)
        pthread_mutex_lock(&mutex);
    if (argc > 1 && strcmp(argv[1], "sleeps") == 0)
        sleep(61);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
