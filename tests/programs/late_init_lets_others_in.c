// A lock is initialised while one thread has it and another one waits: that frees it, and the other goes on before the
// first has unlocked it. What a step before the initialisation did with the lock tells nothing about it any more.
// build: gcc -O1
// expect: finding race
// expect: finding misuse
// run: -k -s dfs -- mutex try
// expect: classes 17
// run: -k -s dpor -- mutex try
// expect: classes 17
// run: -k -s best --reduction classic -- mutex try
// expect: classes 17
// run: -k -s dfs -- mutex wait
// expect: classes 14
// run: -k -s dpor -- mutex wait
// expect: classes 14
// run: -k -s best --reduction classic -- mutex wait
// expect: classes 14
// run: -k -s dfs -- rwlock try
// expect: classes 17
// run: -k -s dpor -- rwlock try
// expect: classes 17
// run: -k -s best --reduction classic -- rwlock try
// expect: classes 17
// run: -k -s dfs -- rwlock wait
// expect: classes 14
// run: -k -s dpor -- rwlock wait
// expect: classes 14
// run: -k -s best --reduction classic -- rwlock wait
// expect: classes 14
// run: -k -s dfs -- semaphore try
// expect: classes 17
// run: -k -s dpor -- semaphore try
// expect: classes 17
// run: -k -s best --reduction classic -- semaphore try
// expect: classes 17
// run: -k -s dfs -- semaphore wait
// expect: classes 14
// run: -k -s dpor -- semaphore wait
// expect: classes 14
// run: -k -s best --reduction classic -- semaphore wait
// expect: classes 14
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <string.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static const char *family;
static bool tries;
static void initialise(void)
{
    if (strcmp(family, "mutex") == 0)
        pthread_mutex_init(&mutex, NULL);
    else if (strcmp(family, "rwlock") == 0)
        pthread_rwlock_init(&rwlock, NULL);
    else
        sem_init(&semaphore, 0, 1);
}
static int take(bool waits)
{
    if (strcmp(family, "mutex") == 0)
        return waits ? pthread_mutex_lock(&mutex) : pthread_mutex_trylock(&mutex);
    if (strcmp(family, "rwlock") == 0)
        return waits ? pthread_rwlock_wrlock(&rwlock) : pthread_rwlock_trywrlock(&rwlock);
    return waits ? sem_wait(&semaphore) : sem_trywait(&semaphore);
}
static void give(void)
{
    if (strcmp(family, "mutex") == 0)
        pthread_mutex_unlock(&mutex);
    else if (strcmp(family, "rwlock") == 0)
        pthread_rwlock_unlock(&rwlock);
    else
        sem_post(&semaphore);
}
static void *first(void *argument)
{
    if (take(!tries) == 0)
        give();
    return argument;
}
static void *second(void *argument)
{
    take(true);
    give();
    return argument;
}
static void *third(void *argument)
{
    initialise();
    return argument;
}
int main(int count, char **arguments)
{
    void *(*bodies[])(void *) = {first, second, third};
    pthread_t threads[3];
    if (count < 3)
        return 1;
    family = arguments[1];
    tries = strcmp(arguments[2], "try") == 0;
    initialise();
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
