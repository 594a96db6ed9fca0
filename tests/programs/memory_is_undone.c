// Every execution begins with the same memory: statics, heap, environment and the state of libc.
// modes: all
// run: -s dfs
// expect: no finding
// expect: complete == true
// run: -s dfs --verify 1
// expect: no finding
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int initialised = 41, zero;
static char pages[1 << 16];
static char *kept;

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    initialised++;
    zero++;
    pages[zero * 5000]++;
    if (kept == NULL)
        kept = malloc(100000);
    kept[99999]++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    assert(initialised == 41 && zero == 0 && kept == NULL);
    assert(pages[5000] == 0 && pages[10000] == 0);
    assert(getenv("BOHR_TEST_SEEN") == NULL);
    assert(strtok((char[]){"a b"}, " ") != NULL);
    setenv("BOHR_TEST_SEEN", "1", 1);
    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(initialised == 43 && zero == 2 && pages[5000] == 1 && pages[10000] == 1);
    return 0;
}
