// Joining or detaching a thread that cannot be joined any more is undefined. As with libc it returns
// EINVAL; of two joins at one time one gets the result.
// modes: all
// run: -s dfs -k
// expect: finding misuse
// expect: executions 1
// expect: output a thread is joined twice
// expect: output a thread is joined that was detached
// expect: output a thread is detached that was joined
// expect: output a thread is detached twice
// expect: output also involved: T1
// expect: output also involved: T2
// run: -s dfs -k -- both
// expect: finding misuse
// expect: output a thread is joined twice
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t first;

static void *nothing(void *unused)
{
    return unused;
}

static void *lock(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *join(void *result)
{
    *(int *)result = pthread_join(first, NULL);
    return NULL;
}

static void join_both(void)
{
    pthread_t second;
    int theirs = -1, mine;
    pthread_create(&first, NULL, lock, NULL);
    pthread_create(&second, NULL, join, &theirs);
    mine = pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert((mine == 0 && theirs == EINVAL) || (mine == EINVAL && theirs == 0));
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "both") == 0) {
        join_both();
        return 0;
    }
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    assert(pthread_join(thread, NULL) == 0);
    assert(pthread_join(thread, NULL) == EINVAL);
    assert(pthread_detach(thread) == EINVAL);
    pthread_create(&thread, NULL, nothing, NULL);
    assert(pthread_detach(thread) == 0);
    assert(pthread_join(thread, NULL) == EINVAL);
    assert(pthread_detach(thread) == EINVAL);
    return 0;
}
