// A thread that was detached cannot be joined: the join fails at once, whether that thread has ended or not. What it
// does last can come after all that follows the join.
// build: gcc -O1
// build: clang -O1
// expect: finding misuse
// expect: finding assertion
// expect: finding race
// expect: classes 3
// run: -k -s dfs
// run: -k -s dpor
// run: -k -s bpor
// run: -k -s preempt
#include <assert.h>
#include <pthread.h>
static pthread_t child;
static int data;
static void *writes(void *argument)
{
    data = 1;
    return argument;
}
static void *detaches(void *argument)
{
    pthread_detach(child);
    return argument;
}
int main(void)
{
    pthread_t other;
    pthread_create(&child, NULL, writes, NULL);
    pthread_create(&other, NULL, detaches, NULL);
    pthread_join(child, NULL);
    assert(data == 1);
    pthread_join(other, NULL);
    return 0;
}
