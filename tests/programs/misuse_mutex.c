// Uses of mutexes that POSIX leaves undefined are found, and return what libc returns; the program goes on.
// modes: all
// run: -s dfs -k
// expect: finding misuse
// expect: executions 1
// expect: output a mutex is unlocked that nobody holds
// expect: output a mutex is initialised again and was not destroyed
// expect: output a mutex is destroyed that is locked
// expect: output a mutex is used after it was destroyed
// expect: output also involved: T0 at
// expect: output a mutex is destroyed twice
// expect: output on mutex
// run: -s dfs -k -- unlock
// expect: finding misuse
// expect: executions 1
// expect: output a mutex is unlocked that another thread holds
// expect: output also involved: T0
// run: -s dfs -k -- garbage
// expect: finding misuse
// expect: executions 1
// expect: output a mutex is used that was never initialised
// run: -s dfs -- self
// expect: finding deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex;

static void *unlock(void *unused)
{
    assert(pthread_mutex_unlock(&mutex) == 0); /* nobody can go on: the only order */
    return unused;
}

static void unlock_in_thread(void)
{
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, unlock, NULL);
    pthread_join(thread, NULL);
}

static void use_garbage(void)
{
    pthread_mutex_t *garbage = malloc(sizeof *garbage);
    memset(garbage, 0x7e, sizeof *garbage);
    assert(pthread_mutex_lock(garbage) == EINVAL);
    assert(pthread_mutex_trylock(garbage) == EINVAL);
    assert(pthread_mutex_unlock(garbage) == EINVAL);
    free(garbage);
}

int main(int count, char **arguments)
{
    const char *way = count > 1 ? arguments[1] : "";
    pthread_mutex_init(&mutex, NULL);
    if (strcmp(way, "unlock") == 0) {
        unlock_in_thread();
        return 0;
    }
    if (strcmp(way, "garbage") == 0) {
        use_garbage();
        return 0;
    }
    if (strcmp(way, "self") == 0)
        pthread_mutex_lock(&mutex);
    else
        assert(pthread_mutex_unlock(&mutex) == 0);
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_destroy(&mutex) == EBUSY);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_init(&mutex, NULL);
    assert(pthread_mutex_destroy(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == EINVAL);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
