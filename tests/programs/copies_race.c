// memcpy and memset are accesses too, large and small ones.
// build: gcc -O1
// build: clang -O1
// run: -s dfs -k
// expect: finding race
// expect: output on large
// expect: output on small
#include <pthread.h>
#include <string.h>

static char large[100000], copy[100000];
static char small[16];

static void *fill(void *argument)
{
    memset(large, 1, sizeof large);
    memset(small, 1, sizeof small);
    return NULL;
}

static void *read_all(void *argument)
{
    char mine[16];
    memcpy(copy, large, sizeof copy);
    memcpy(mine, small, sizeof mine);
    return (void *)(long)mine[3];
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, fill, NULL);
    pthread_create(&second, NULL, read_all, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
