// A writer waits until a reader leaves. That reader may leave before another one comes, and that one after the writer,
// though the two readers do not depend on each other: also where the other one stays inside, so that the writer, if it
// comes last, waits forever.
// build: gcc -O1
// expect: classes 3
// run: -k -s dfs
// expect: no finding
// run: -k -s dpor
// run: -k -s best --reduction classic
// run: -k -s bpor
// run: -k -s bpor -j 2
// run: -k -s dfs -- stays
// expect: finding deadlock
// run: -k -s dpor -- stays
// expect: finding deadlock
// run: -k -s best --reduction classic -- stays
// expect: finding deadlock
// run: -k -s bpor -- stays
// expect: finding deadlock
// run: -k -s bpor -j 2 -- stays
// expect: finding deadlock
#include <pthread.h>
#include <semaphore.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t inside, done;
static int stays;
static void *writes(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}
static void *reads_later(void *argument)
{
    sem_wait(&inside);
    sem_post(&done);
    pthread_rwlock_rdlock(&lock);
    if (!stays)
        pthread_rwlock_unlock(&lock);
    return argument;
}
static void *reads(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    sem_post(&inside);
    sem_wait(&done);
    pthread_rwlock_unlock(&lock);
    return argument;
}
int main(int count, char **arguments)
{
    void *(*const bodies[])(void *) = {writes, reads_later, reads};
    pthread_t threads[3];
    stays = count > 1;
    sem_init(&inside, 0, 0);
    sem_init(&done, 0, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
