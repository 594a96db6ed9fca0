// A function that takes the name of a semaphore or message queue reads the name in one step before its own: it sees one
// name or the other, and two orders of read and write are all there are.
// build: gcc -O1
// build: clang -O1
// run: -s dpor -k
// expect: finding race
// expect: complete == true
// expect: classes 2
// run: -s dpor -k -- queue
// expect: finding race
// expect: complete == true
// expect: classes 2
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static char name[] = "/one";

static void *rename_it(void *unused)
{
    *(volatile char *)&name[1] = 'a';
    return unused;
}

int main(int count, char **arguments)
{
    (void)arguments;
    pthread_t thread;
    pthread_create(&thread, NULL, rename_it, NULL);
    if (count > 1)
        mq_unlink(name);
    else
        sem_unlink(name);
    pthread_join(thread, NULL);
    return 0;
}
