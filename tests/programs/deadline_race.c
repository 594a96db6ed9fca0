// Functions that wait with a time limit, nanosleep, sem_unlink and pthread_create read what their pointers
// point to: a thread that writes it at the same time races with the call.
// expect: finding race
// run: -s dpor -k -- wait
// run: -s dpor -k -- lock
// run: -s dpor -k -- sleep
// run: -s dpor -k -- name
// run: -s dpor -k -- attributes
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static struct timespec when = {.tv_sec = 1};
static char name[] = "/deadline";
static pthread_attr_t attributes;
static const char *way;

static void *work(void *unused)
{
    return unused;
}

static void *call(void *unused)
{
    pthread_t thread;
    if (strcmp(way, "wait") == 0)
        sem_timedwait(&semaphore, &when);
    else if (strcmp(way, "lock") == 0)
        pthread_mutex_timedlock(&mutex, &when);
    else if (strcmp(way, "sleep") == 0)
        nanosleep(&when, NULL);
    else if (strcmp(way, "name") == 0)
        sem_unlink(name);
    else if (pthread_create(&thread, &attributes, work, NULL) == 0)
        pthread_join(thread, NULL);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    way = count > 1 ? arguments[1] : "wait";
    sem_init(&semaphore, 0, 0);
    pthread_attr_init(&attributes);
    pthread_create(&thread, NULL, call, NULL);
    if (strcmp(way, "name") == 0)
        name[1] = 'D';
    else if (strcmp(way, "attributes") == 0)
        pthread_attr_setguardsize(&attributes, 8192);
    else
        when.tv_sec = 2;
    pthread_join(thread, NULL);
    return 0;
}
