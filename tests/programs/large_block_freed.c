// A large block is freed beside a thread that uses a part of it which nobody has accessed before.
// expect: finding race
// expect: finding use-after-free
// expect: peak_bytes < 300000000
// run: -s dfs -k
// expect: buggy 1
// run: -s dpor -k
// expect: classes 2
// run: -s dfs -k --isolate fork
// expect: buggy 1
#include <pthread.h>
#include <stdlib.h>

static char *volatile block;

static void *use(void *argument)
{
    block[1ul << 30] = 1;
    return NULL;
}

int main(void)
{
    block = malloc(2ul << 30);
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    free(block);
    pthread_join(thread, NULL);
    return 0;
}
