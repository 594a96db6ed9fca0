// trylock gives EBUSY for a mutex that anybody holds, the caller included, and 0 otherwise.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *work(void *unused)
{
    int result = pthread_mutex_trylock(&shared);
    if (result == 0) {
        assert(++inside == 1);
        inside--;
        pthread_mutex_unlock(&shared);
    } else {
        assert(result == EBUSY);
    }
    return unused;
}

int main(void)
{
    pthread_mutex_lock(&own);
    assert(pthread_mutex_trylock(&own) == EBUSY);
    pthread_mutex_unlock(&own);
    assert(pthread_mutex_trylock(&own) == 0);

    pthread_t first, second;
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
