// A program that closes all descriptors it does not know, one after the other or at once, does not
// close those of the runtime: two threads that lock and unlock afterwards have 10 executions, as
// ever.
// modes: all preload
// run: -s dfs
// expect: no finding
// expect: executions 10
// run: -s dfs -- range
// expect: no finding
// expect: executions 10
// run: -s dfs -- numbers
// expect: no finding
// expect: executions 10
// run: -s dfs -- number-range
// expect: no finding
// expect: executions 10
// run: -s dfs -- from
// expect: no finding
// expect: executions 10
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void close_all(const char *way)
{
    int ends[2];
    assert(pipe(ends) == 0);
    if (*way == 0)
        for (int i = 3; i < sysconf(_SC_OPEN_MAX) && i < 2000; i++)
            assert(close(i) == 0 || errno == EBADF);
    else if (strcmp(way, "range") == 0)
        assert(close_range(3, ~0u, 0) == 0);
    else if (strcmp(way, "numbers") == 0)
        for (int i = 3; i < 1024; i++)
            assert(syscall(SYS_close, i) == 0 || errno == EBADF);
    else if (strcmp(way, "number-range") == 0)
        assert(syscall(SYS_close_range, 3, ~0u, 0) == 0);
    else
        closefrom(3);
    for (int i = 0; i < 2; i++)
        assert(close(ends[i]) == -1 && errno == EBADF);
}

static void *lock_and_unlock(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(int argc, char **argv)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t threads[2];
    close_all(argc > 1 ? argv[1] : "");
    for (int i = 0; i < 2; i++)
        assert(pthread_create(&threads[i], NULL, lock_and_unlock, &mutex) == 0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(threads[i], NULL) == 0);
    return 0;
}
