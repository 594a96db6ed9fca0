// A thread that reads what it has just written may see what another wrote in between: the read races
// too, though it follows a write of its own.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -k
// expect: finding assertion
// expect: finding race
// expect: exit 1
// expect: complete == true
#include <assert.h>
#include <pthread.h>
static long x;
static void *work(void *argument)
{
    x = (long)argument;
    assert(*(volatile long *)&x == (long)argument);
    return 0;
}
int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
