// free is a write of the whole block: without order between them it races with the use.
// build: gcc -O1
// build: clang -O1
// run: -s dfs
// expect: finding race
// expect: finding use-after-free
#include <pthread.h>
#include <stdlib.h>

static void *use(void *block)
{
    *(int *)block = 1;
    return NULL;
}

int main(void)
{
    int *block = malloc(sizeof *block);
    pthread_t thread;
    pthread_create(&thread, NULL, use, block);
    free(block);
    pthread_join(thread, NULL);
    return 0;
}
