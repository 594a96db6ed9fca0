// A thread gets the stack it asked for.
// build: gcc -O0
// run: -s dfs
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

enum { STACK = 32 << 20, USED = 30 << 20 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    volatile char space[USED];
    for (size_t at = 0; at < USED; at += 4096)
        space[USED - 1 - at] = 1;
    pthread_mutex_lock(&mutex);
    assert(space[USED - 1] == 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    assert(pthread_attr_setstacksize(&attributes, STACK) == 0);
    pthread_t first, second;
    assert(pthread_create(&first, &attributes, work, NULL) == 0);
    assert(pthread_create(&second, &attributes, work, NULL) == 0);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
