// Recursive and errorcheck mutexes, made at run time and statically.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: complete == true
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck;
static int depth;

static void *work(void *unused)
{
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_trylock(&recursive) == 0);
    assert(++depth == 1);
    depth--;
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    return unused;
}

static void *stranger(void *unused)
{
    assert(pthread_mutex_unlock(&errorcheck) == EPERM);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&errorcheck, &attributes);
    pthread_mutexattr_destroy(&attributes);

    assert(pthread_mutex_unlock(&errorcheck) == EPERM);
    assert(pthread_mutex_lock(&errorcheck) == 0);
    assert(pthread_mutex_lock(&errorcheck) == EDEADLK);
    pthread_t thread;
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&errorcheck) == 0);
    assert(pthread_mutex_destroy(&errorcheck) == 0);

    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    return 0;
}
