// The function that assertions call in programs made for other C libraries.
// modes: all preload
// run: -s dfs
// expect: finding assertion
// expect: output balance >= 0
// run: -s random -n 50
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

extern void __assert(const char *condition, const char *file, int line);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *add(void *amount)
{
    pthread_mutex_lock(&mutex);
    balance += *(int *)amount;
    if (balance < 0)
        __assert("balance >= 0", __FILE__, __LINE__);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    int in = 1, out = -1;
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, add, &in);
    pthread_create(&threads[1], NULL, add, &out);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
