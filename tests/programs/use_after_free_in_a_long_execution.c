// A use after free is seen in a long execution, too: while it is watched for loops no memory is used again.
// build: gcc -O0
// run: --no-shrink -s dfs
// expect: finding use-after-free
#include <pthread.h>
#include <stdlib.h>

enum { TURNS = 515 }; /* of two steps each: then the execution has been watched for a few */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void pass(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    for (int i = 0; i < TURNS; i++)
        pass();
    int *old = malloc(sizeof *old);
    free(old);
    int *other = malloc(sizeof *other);
    *old = 1;
    free(other);
    return 0;
}
