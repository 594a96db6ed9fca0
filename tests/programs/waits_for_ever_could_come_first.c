// A thread that waits forever in read() could have come first, before it came to that call: also where a later step
// depends on everything.
// build: gcc -O1
// expect: finding deadlock
// expect: classes 4
// run: -k -s dfs
// run: -k -s dpor
// run: -k -s best --reduction classic
// run: -k -s bpor
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int ends[2];
static void *takes(void *argument)
{
    char byte;
    eventfd(1, 0);
    (void)!read(ends[0], &byte, 1);
    return argument;
}
static void *takes_and_looks(void *argument)
{
    sigset_t set;
    takes(NULL);
    sigpending(&set);
    return argument;
}
int main(void)
{
    pthread_t first, second;
    if (pipe(ends) != 0 || write(ends[1], "", 1) != 1)
        return 1;
    pthread_create(&first, NULL, takes, NULL);
    pthread_create(&second, NULL, takes_and_looks, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
