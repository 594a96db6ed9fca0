// The read could come before the close, for all that the first execution shows; it would have to wait there. What can
// come beside it, the new descriptor before the close, is explored nevertheless.
// build: gcc -O1
// expect: no finding
// expect: classes 2
// run: -k -s dfs --points all
// run: -k -s dpor --points all
// run: -k -s dpor --points all --reduction source
// run: -k -s bpor --points all
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int ends[2];
static void *closes(void *argument)
{
    close(ends[1]);
    return argument;
}
static void *opens(void *argument)
{
    eventfd(1, EFD_NONBLOCK);
    return argument;
}
static void *reads(void *argument)
{
    char byte;
    (void)!read(ends[0], &byte, 1);
    return argument;
}
int main(void)
{
    void *(*bodies[])(void *) = {closes, opens, reads};
    pthread_t threads[3];
    if (pipe(ends) != 0)
        return 1;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, bodies[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
