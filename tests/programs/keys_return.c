// Results of the functions of thread-specific data; the same as with libc. Destructors run again
// as long as they leave values behind, PTHREAD_DESTRUCTOR_ITERATIONS times at most, and not for a
// key that was deleted.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 1
// run: -s random -n 5
// expect: no finding
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>

static pthread_key_t stubborn, gone, keys[PTHREAD_KEYS_MAX + 1];
static int runs;

static void leave_it(void *value)
{
    assert(pthread_getspecific(stubborn) == NULL);
    runs++;
    assert(pthread_setspecific(stubborn, value) == 0);
}

static void never(void *unused)
{
    assert(unused != unused);
}

static void *use(void *argument)
{
    assert(pthread_getspecific(stubborn) == NULL);
    assert(pthread_setspecific(stubborn, argument) == 0);
    assert(pthread_getspecific(stubborn) == argument);
    assert(pthread_setspecific(gone, argument) == 0);
    assert(pthread_key_delete(gone) == 0);
    return NULL;
}

static void all_there_are(void)
{
    int made = 0;
    while (pthread_key_create(&keys[made], NULL) == 0)
        made++;
    assert(made > 0 && made <= PTHREAD_KEYS_MAX);
    assert(pthread_key_create(&keys[made], NULL) == EAGAIN);
    assert(tss_create(&keys[made], NULL) == thrd_error);
    tss_delete(keys[--made]);
    assert(tss_create(&keys[made], NULL) == thrd_success);
    assert(pthread_getspecific(keys[made]) == NULL);
    for (int i = 0; i <= made; i++)
        assert(pthread_key_delete(keys[i]) == 0);
}

int main(void)
{
    pthread_t thread;
    assert(pthread_key_create(&stubborn, leave_it) == 0);
    assert(pthread_key_create(&gone, never) == 0);
    assert(pthread_setspecific(stubborn, NULL) == 0);
    assert(pthread_create(&thread, NULL, use, &runs) == 0);
    assert(pthread_join(thread, NULL) == 0);
    assert(runs == PTHREAD_DESTRUCTOR_ITERATIONS);
    assert(pthread_key_delete(gone) == EINVAL);
    assert(pthread_setspecific(PTHREAD_KEYS_MAX, &runs) == EINVAL);
    assert(pthread_key_delete(PTHREAD_KEYS_MAX) == EINVAL);
    assert(pthread_key_delete(stubborn) == 0);
    all_there_are();
    return 0;
}
