// A writer that waits for readers could have come before them: before one reader, where another has come and left whatever
// happens (known); before two that stay inside, but after another writer (stay); where a try to write has failed after the
// reader (try).
// build: gcc -O1
// run: -k -s dfs -- known
// expect: classes 2
// run: -k -s dpor -- known
// expect: classes 2
// run: -k -s dpor -j 2 -- known
// expect: classes 2
// run: -k -s dpor --reduction source -- known
// expect: classes 2
// run: -k -s best --reduction classic -- known
// expect: classes 2
// run: -k -s bpor -- known
// expect: classes 2
// run: -k -s dfs -- stay
// expect: classes 5
// expect: finding deadlock
// run: -k -s dpor -- stay
// expect: classes 5
// expect: finding deadlock
// run: -k -s dpor --reduction source -- stay
// expect: classes 5
// expect: finding deadlock
// run: -k -s best --reduction classic -- stay
// expect: classes 5
// expect: finding deadlock
// run: -k -s bpor -- stay
// expect: classes 5
// expect: finding deadlock
// run: -k -s dfs -- try
// expect: classes 7
// expect: finding deadlock
// run: -k -s dpor -- try
// expect: classes 7
// expect: finding deadlock
// run: -k -s dpor --reduction source -- try
// expect: classes 7
// expect: finding deadlock
// run: -k -s dpor --reduction classic -- try
// expect: classes 7
// expect: finding deadlock
// run: -k -s best --reduction classic -- try
// expect: classes 7
// expect: finding deadlock
// run: -k -s bpor -- try
// expect: classes 7
// expect: finding deadlock
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t first, second;
static void *writes(void *argument)
{
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return argument;
}
static void *stays(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    return argument;
}
static void *reads_until_told(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    sem_wait(&first);
    pthread_rwlock_unlock(&lock);
    return argument;
}
static void *reads_and_tells(void *argument)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    sem_post(&first);
    sem_post(&second);
    return argument;
}
static void *writes_when_told(void *argument)
{
    sem_wait(&second);
    return writes(argument);
}
static void *posts_and_reads(void *argument)
{
    sem_post(&second);
    sem_wait(&first);
    return reads_until_told(argument);
}
static void *tries(void *argument)
{
    sem_wait(&second);
    sem_post(&first);
    if (pthread_rwlock_trywrlock(&lock) != 0)
        return argument;
    sem_post(&second);
    sem_wait(&first);
    pthread_rwlock_unlock(&lock);
    return argument;
}
int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void *(*bodies[4])(void *);
    } programs[] = {
        {"known", {reads_until_told, reads_and_tells, writes_when_told}},
        {"stay", {writes, stays, stays, writes}},
        {"try", {posts_and_reads, tries, writes}},
    };
    pthread_t threads[4];
    sem_init(&first, 0, 0);
    sem_init(&second, 0, 0);
    for (int i = 0; i < 3; i++) {
        int made = 0;
        if (count < 2 || strcmp(arguments[1], programs[i].name) != 0)
            continue;
        for (; made < 4 && programs[i].bodies[made] != NULL; made++)
            pthread_create(&threads[made], NULL, programs[i].bodies[made], NULL);
        while (made > 0)
            pthread_join(threads[--made], NULL);
    }
    return 0;
}
