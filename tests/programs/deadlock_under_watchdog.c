// A deadlock that a watchdog ends is a deadlock, with the holder of each lock; a watchdog of a program that sleeps is a crash.
// build: gcc -O1
// run: -s dfs --detect -lock-order -- alarm
// expect: finding deadlock
// expect: output holds it
// expect: output until a timer's signal ends the program
// run: -s dpor --detect -lock-order -- alarm
// expect: finding deadlock
// run: -s dfs --detect -lock-order -- timer
// expect: finding deadlock
// run: -s dfs -- sleep
// expect: finding crash
#include <pthread.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    struct itimerval time = {.it_value.tv_sec = 3};
    if (strcmp(argv[1], "timer") == 0)
        setitimer(ITIMER_REAL, &time, NULL);
    else
        alarm(3);
    if (strcmp(argv[1], "sleep") == 0)
        sleep(10);
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    pthread_join(thread, NULL);
    return 0;
}
